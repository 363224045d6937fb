import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { transact } from '../database/client.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { makeCode } from '../testing/redemption-makers.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)

/** What can happen to a balance outside a call. `who` and `ref` are small, so that causes repeat. */
const who = fc.nat({ max: 2 })
const ref = fc.nat({ max: 3 })
const amount = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constant(1_000_000_000_000_000))
const step = fc.oneof(
  fc.record({ kind: fc.constant('bonus' as const), who, ref, amount }),
  fc.record({ kind: fc.constant('topup' as const), who, ref, amount }),
  fc.record({ kind: fc.constant('redeem' as const), who, ref, amount: fc.constant(0) }),
  fc.record({ kind: fc.constant('admin' as const), who, amount, base: fc.option(fc.integer({ min: -50, max: 1000 })) }),
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const QUOTA_MAX = 1_000_000_000_000_000

test(`whatever happens to balances in whatever order, they equal a plain sum and the ledger adds up (seed ${SEED})`, async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const world = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
    const { users, codes } = await freshWorld(app, admin)
    const model = { balances: users.map(() => 0), postings: new Map<string, string>(), used: new Set<number>() }
    for (const step of steps) {
      const expected = predict(model, step, codes)
      expect(await act(app, step, users, codes)).toBe(expected)
    }
    const rows = await Promise.all(users.map(({ id }) => app.parts.accounts.find(id)))
    expect(rows.map((row) => row?.quota)).toEqual(model.balances)
    expect(await app.audit()).toEqual([])
  })
  await fc.assert(world, { seed: SEED, numRuns: 12, endOnFailure: true })
}, 60_000)

let worlds = 0

async function freshWorld(app: TestApp, admin: Client) {
  worlds++
  const users = [await makeUser(app), await makeUser(app), await makeUser(app)]
  const codes = []
  for (const quota of [1, 20, 300, 4000]) codes.push({ quota, ...(await makeCode(admin, { quota })) })
  return { users, codes }
}

interface Model {
  balances: number[]
  /** Kind and cause → user and amount. */
  postings: Map<string, string>
  used: Set<number>
}

/** The rules of the ledger in a few lines: the result of a step, and its effect on the balances. */
function predict(model: Model, step: Step, codes: { quota: number }[]): 'done' | 'refused' {
  const balance = model.balances[step.who] ?? 0
  if (step.kind === 'admin') {
    const delta = step.amount - (step.base ?? balance)
    if (delta !== 0 && (balance + delta < 0 || balance + delta > QUOTA_MAX)) return 'refused'
    model.balances[step.who] = balance + delta
    return 'done'
  }
  if (step.kind === 'redeem') {
    if (model.used.has(step.ref) || balance + (codes[step.ref]?.quota ?? 0) > QUOTA_MAX) return 'refused'
    model.used.add(step.ref)
    model.balances[step.who] = balance + (codes[step.ref]?.quota ?? 0)
    return 'done'
  }
  const cause = `${step.kind} ${step.ref}`
  const earlier = model.postings.get(cause)
  if (earlier !== undefined) return earlier === `${step.who} ${step.amount}` ? 'done' : 'refused'
  if (balance + step.amount > QUOTA_MAX) return 'refused'
  model.postings.set(cause, `${step.who} ${step.amount}`)
  model.balances[step.who] = balance + step.amount
  return 'done'
}

type World = Awaited<ReturnType<typeof freshWorld>>

async function act(app: TestApp, step: Step, users: World['users'], codes: World['codes']) {
  const user = users[step.who]
  if (user === undefined) throw new Error(`There is no user ${step.who}`)
  if (step.kind === 'redeem') {
    const { success } = await user.client.post('/api/user/topup', { key: codes[step.ref]?.key })
    return success ? 'done' : 'refused'
  }
  const { ledger } = app.parts
  const work =
    step.kind === 'admin'
      ? transact(app.db, (tx) =>
          ledger.setBalance(tx, {
            userId: user.id,
            target: step.amount,
            base: step.base ?? undefined,
            actorId: 1,
            ref: Bun.randomUUIDv7(),
          }),
        )
      : transact(app.db, (tx) =>
          ledger.post(tx, {
            kind: step.kind,
            ref: `${worlds}:${step.ref}`,
            userId: user.id,
            delta: step.amount,
          }),
        )
  return work.then(
    () => 'done',
    () => 'refused',
  )
}
