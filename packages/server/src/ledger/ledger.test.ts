import { expect, test } from 'bun:test'
import type { GatewayError } from '../common/errors.ts'
import { transact } from '../database/client.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import type { BalanceEdit, Posting } from './ledger.ts'

const post = (app: TestApp, posting: Posting) => transact(app.db, (tx) => app.parts.ledger.post(tx, posting))

const setBalance = (app: TestApp, edit: Omit<BalanceEdit, 'actorId' | 'ref'>) =>
  transact(app.db, (tx) => app.parts.ledger.setBalance(tx, { ...edit, actorId: 1, ref: Bun.randomUUIDv7() }))

const balanceOf = async (app: TestApp, userId: number) => (await app.parts.accounts.find(userId))?.quota

const entriesOf = (app: TestApp, userId: number) =>
  app.db.selectFrom('ledger').selectAll().where('user_id', '=', userId).orderBy('id').execute()

const codeOf = (error: unknown) => (error as GatewayError).code

test('a posting changes the balance and leaves one row with the new balance [R1.06]', async () => {
  const app = await testApp()
  const { id } = await makeUser(app)
  expect(await post(app, { kind: 'bonus', ref: 'a', userId: id, delta: 50 })).toEqual({ balance: 50, fresh: true })
  const second = { kind: 'topup', ref: 'b', userId: id, delta: -20, actorId: 1 } as const
  expect(await post(app, second)).toEqual({ balance: 30, fresh: true })
  expect(await balanceOf(app, id)).toBe(30)
  expect(await entriesOf(app, id)).toMatchObject([
    { kind: 'bonus', ref: 'a', delta: 50, balance: 50, actor_id: null },
    { kind: 'topup', ref: 'b', delta: -20, balance: 30, actor_id: 1 },
  ])
  expect(await app.audit()).toEqual([])
})

test('the same posting again does nothing; the same cause with another kind is another posting', async () => {
  const app = await testApp()
  const { id } = await makeUser(app)
  const posting = { kind: 'topup', ref: 'payment-1', userId: id, delta: 50 } as const
  await post(app, posting)
  expect(await post(app, posting)).toEqual({ balance: 50, fresh: false })
  expect(await post(app, { ...posting, kind: 'bonus' })).toEqual({ balance: 100, fresh: true })
  expect(await post(app, posting)).toEqual({ balance: 100, fresh: false })
  expect(await entriesOf(app, id)).toHaveLength(2)
})

test('a cause that was used for another amount or user is refused, not silently skipped', async () => {
  const app = await testApp()
  const { id } = await makeUser(app)
  const other = await makeUser(app)
  await post(app, { kind: 'topup', ref: 'payment-1', userId: id, delta: 50 })
  for (const change of [{ delta: 51 }, { userId: other.id }]) {
    const again = { kind: 'topup', ref: 'payment-1', userId: id, delta: 50, ...change } as const
    expect(await post(app, again).catch(codeOf)).toBe('ledger.other_posting')
  }
  expect([await balanceOf(app, id), await balanceOf(app, other.id)]).toEqual([50, 0])
})

test('a payment reported twice is credited once, also when both reports arrive at once', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app)
  const other = await makeUser(app)
  const payment = { user_id: user.id, quota: 50, reference: 'payment-7' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => admin.post('/api/topup', payment)))
  expect(answers.every(({ success }) => success)).toBe(true)
  expect((await user.client.get('/api/user/self')).data.quota).toBe(50)

  const wrong = await admin.post('/api/topup', { ...payment, user_id: other.id }, { 'accept-language': 'en' })
  expect(wrong.message).toBe('payment-7 was already used for another quota change')
  // Two users at once with one reference: one gets it, the other report is refused.
  const race = await Promise.all(
    [user, other].map(({ id }) => admin.post('/api/topup', { user_id: id, quota: 5, reference: 'payment-8' })),
  )
  expect(race.map(({ status, success }) => [status, success]).sort()).toEqual([
    [200, false],
    [200, true],
  ])
  expect(await app.audit()).toEqual([])
})

test('a balance stays within its bounds, in both directions', async () => {
  const app = await testApp()
  const { id } = await makeUser(app)
  const bound = 1_000_000_000_000_000
  expect((await post(app, { kind: 'topup', ref: '1', userId: id, delta: bound })).balance).toBe(bound)
  expect(await post(app, { kind: 'topup', ref: '2', userId: id, delta: 1 }).catch(codeOf)).toBe('user.quota_bounds')
  await post(app, { kind: 'consume', ref: '3', userId: id, delta: -bound })
  expect((await post(app, { kind: 'consume', ref: '4', userId: id, delta: -bound })).balance).toBe(-bound)
  expect(await post(app, { kind: 'consume', ref: '5', userId: id, delta: -1 }).catch(codeOf)).toBe('user.quota_bounds')
  expect(await balanceOf(app, id)).toBe(-bound)
  expect(await entriesOf(app, id)).toHaveLength(3)
})

test('a non-integer amount, or an unknown user, cannot be posted', async () => {
  const app = await testApp()
  const { id } = await makeUser(app)
  for (const delta of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    const failure = post(app, { kind: 'bonus', ref: `${delta}`, userId: id, delta })
    await expect(failure).rejects.toThrow('Not a whole number')
  }
  expect(await post(app, { kind: 'bonus', ref: 'x', userId: 987_654, delta: 1 }).catch(codeOf)).toBe('user.not_found')
  expect(await entriesOf(app, id)).toEqual([])
})

test('a transaction that fails after a posting changes neither the balance nor the ledger', async () => {
  const app = await testApp()
  const { id } = await makeUser(app)
  const failing = transact(app.db, async (tx) => {
    await app.parts.ledger.post(tx, { kind: 'bonus', ref: 'x', userId: id, delta: 9 })
    throw new Error('something later went wrong')
  })
  await expect(failing).rejects.toThrow('something later')
  expect(await balanceOf(app, id)).toBe(0)
  expect(await entriesOf(app, id)).toEqual([])
})

test('an edit without a base sets the balance, with one it applies the difference, without a difference it posts nothing', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { quota: 100 })
  expect(await setBalance(app, { userId: id, target: 70, base: undefined })).toEqual({ from: 100, to: 70 })
  // While a form showed 70, a call cost 15.
  await post(app, { kind: 'late', ref: 'spent', userId: id, delta: -15 })
  expect(await setBalance(app, { userId: id, target: 90, base: 70 })).toEqual({ from: 55, to: 75 })
  expect(await setBalance(app, { userId: id, target: 70, base: 70 })).toEqual({ from: 75, to: 75 })
  expect(await setBalance(app, { userId: id, target: 75, base: undefined })).toEqual({ from: 75, to: 75 })
  expect(await setBalance(app, { userId: id, target: 0, base: undefined })).toEqual({ from: 75, to: 0 })
  const admin = (await entriesOf(app, id)).filter(({ kind }) => kind === 'admin')
  expect(admin.map(({ delta, balance, actor_id }) => [delta, balance, actor_id])).toEqual([
    [-30, 70, 1],
    [20, 75, 1],
    [-75, 0, 1],
  ])
})

test('an edit never takes a balance below zero, and may raise it from there', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { quota: 40 })
  expect(await setBalance(app, { userId: id, target: 0, base: 100 }).catch(codeOf)).toBe('user.below_zero')
  expect(await balanceOf(app, id)).toBe(40)
  await post(app, { kind: 'consume', ref: 'dear', userId: id, delta: -65 })
  expect(await setBalance(app, { userId: id, target: -25, base: undefined })).toEqual({ from: -25, to: -25 })
  expect(await setBalance(app, { userId: id, target: 0, base: undefined })).toEqual({ from: -25, to: 0 })
})

test('an administrator who edits an overdrawn user changes what was meant and not the debt [R6.04]', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const { id } = await makeUser(app)
  await post(app, { kind: 'consume', ref: 'dear', userId: id, delta: -30 })
  const user = (await admin.get(`/api/user/${id}`)).data
  expect(user.quota).toBe(-30)
  const renamed = await admin.put('/api/user/', { ...user, display_name: 'in debt' })
  expect(renamed).toMatchObject({ success: true, data: { display_name: 'in debt', quota: -30 } })
  const deeper = await admin.put('/api/user/', { id, quota: -40 })
  expect(deeper).toMatchObject({ success: false, message: '修改后额度会小于零' })
  expect((await admin.put('/api/user/', { id, quota: 0 })).data.quota).toBe(0)
})

test('concurrent postings for one user add up, and so do edits and postings', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { quota: 1000 })
  const spend = (n: number) => post(app, { kind: 'topup', ref: `t${n}`, userId: id, delta: n })
  await Promise.all(Array.from({ length: 60 }, (_, n) => spend(n + 1)))
  expect(await balanceOf(app, id)).toBe(1000 + (60 * 61) / 2)

  const before = (await balanceOf(app, id)) ?? 0
  await Promise.all([
    ...Array.from({ length: 20 }, (_, n) => post(app, { kind: 'bonus', ref: `b${n}`, userId: id, delta: 10 })),
    ...Array.from({ length: 20 }, () => setBalance(app, { userId: id, target: before + 5, base: before })),
  ])
  expect(await balanceOf(app, id)).toBe(before + 20 * 10 + 20 * 5)
  expect(await app.audit()).toEqual([])
})

test('another process that posts for the same user at the same moment agrees in the end', async () => {
  const app = await testApp()
  const { id } = await makeUser(app)
  const script = Bun.fileURLToPath(import.meta.resolve('../testing/post-many.ts'))
  const child = Bun.spawn([process.execPath, script, app.location, String(id), '20'], { stderr: 'inherit' })
  let own = 0
  while (child.exitCode === null) {
    await post(app, { kind: 'bonus', ref: `own:${own}`, userId: id, delta: 1 })
    own++
    await new Promise(setImmediate) // lets the end of the child be noticed
  }
  expect(child.exitCode).toBe(0)
  expect(await balanceOf(app, id)).toBe(own + 20)
  expect(await app.audit()).toEqual([])
}, 60_000)
