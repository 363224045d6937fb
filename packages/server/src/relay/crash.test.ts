import { expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'kysely'
import type { CrashPoint } from '../ledger/stores/crash-points.ts'
import type { TestApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { startNode } from '../testing/node-process.ts'
import { expectCorrectBooks, observedCall, observedLoad, type Seen, untilNoneOpen } from '../testing/observed-load.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { seeded } from '../testing/seeded.ts'

// Processes are started and killed, possibly on a busy machine.
setDefaultTimeout(180_000)

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const CYCLES = Number(process.env.CRASH_CYCLES ?? 20)

/** On SQLite the kernel releases the lock of a dead process with it; PostgreSQL has to notice that a client is gone. */
const NOTICED_MS = engine === 'postgres' ? 20_000 : 0

async function crashFixture() {
  const fixture = await relayFixture({ quota: 1_000_000_000, options: { DefaultModelRatio: 1 } })
  await fixture.channel('pace/8/20,say/20,pace/50/400')
  return fixture
}

/** A process that is alone on a SQLite file writes the tables after it has confirmed a charge. The test's own server counts as one. */
const COMPANY = engine === 'sqlite' ? ['alone', 'beside another'] : ['beside another']

const leaveAlone = ({ db }: TestApp) => db.updateTable('owners').set({ closed_at: 1 }).execute()

test.each(COMPANY)(
  `kill -9 under load, ${CYCLES} times, %s: nothing lost, nothing charged twice, nothing left open [R1.11] [R1.13] (seed ${SEED})`,
  async (company) => {
    const { app, upstream, key, payer } = await crashFixture()
    if (company === 'alone') await leaveAlone(app)
    const random = seeded(SEED)
    const history: Seen[] = []
    let swept = 0
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const node = await startNode(app)
      expect(await untilNoneOpen(app, NOTICED_MS)).toEqual([])
      let over = false
      const before = { asked: upstream.journal.length, ended: endedIn(history) }
      const load = observedLoad({ urls: () => [node.url], key, clients: 30 }, () => over, history)
      // Triggered by progress and not by the clock: on any machine some die at their first calls, and others under full load.
      const many = random(60)
      if (cycle % 2 === 0) await upstream.received(before.asked + 1 + many)
      else await upstream.until(() => endedIn(history) >= before.ended + 3 + many)
      over = true
      await node.kill()
      await load
      const left = await app.db.selectFrom('holds').select('id').where('state', '=', 0).execute()
      swept += left.length
    }
    await startNode(app)
    expect(await untilNoneOpen(app, NOTICED_MS)).toEqual([])
    if (engine === 'sqlite') {
      expect((await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(app.db)).rows).toEqual([
        { integrity_check: 'ok' },
      ])
    }
    await expectCorrectBooks(app, { userId: payer.id, history, journal: upstream.journal })
    // Proof of real work: some answers were completed, and some calls were interrupted.
    expect(endedIn(history)).toBeGreaterThan(CYCLES)
    if (company !== 'alone') expect(swept).toBeGreaterThan(CYCLES)
  },
)

const endedIn = (history: readonly Seen[]) => history.filter(({ ended }) => ended).length

/**
 * The second call dies at a crash point. What remains in the ledger: no hold at all, a hold that was swept at 0, or a full charge
 * although the client did not see the end.
 */
const POINTS: { point: CrashPoint; pass: number; left: 'nothing' | 'swept' | 'charged' }[] = [
  { point: 'before-hold', pass: 2, left: 'nothing' },
  { point: 'before-commit', pass: 3, left: 'nothing' },
  { point: 'after-commit', pass: 3, left: 'swept' },
  { point: 'after-hold', pass: 2, left: 'swept' },
  { point: 'before-settle', pass: 2, left: 'swept' },
  { point: 'before-commit', pass: 4, left: 'swept' },
  { point: 'after-commit', pass: 4, left: 'charged' },
  { point: 'after-settle', pass: 2, left: 'charged' },
]

test('a process that dies at any crash point leaves exactly what was durable there [R1.11] [R1.13]', async () => {
  const { app, upstream, key, payer } = await crashFixture()
  const history: Seen[] = []
  /** Swept holds stay; of a settled one there is the charge. */
  const leftOf = async () => {
    const swept = await app.db.selectFrom('holds').select(['id', 'actual']).execute()
    const charged = await app.db
      .selectFrom('ledger')
      .select(['ref as id', 'delta'])
      .where('kind', '=', 'consume')
      .execute()
    return [
      ...swept.map(({ id, actual }) => ({ id, left: 'swept', charged: actual })),
      ...charged.map(({ id, delta }) => ({ id, left: 'charged', charged: 0 - delta })),
    ]
  }
  const runs = POINTS.flatMap((row) => [false, true].map((stream) => ({ ...row, stream })))
  let before = new Set<string>()
  let earlier: { row: (typeof runs)[number]; first: Seen } | undefined
  /** What the previous process left, after the next one has started and swept. */
  const look = async () => {
    expect(await untilNoneOpen(app, NOTICED_MS)).toEqual([])
    const left = await leftOf()
    if (earlier === undefined) return
    const { row, first } = earlier
    const found = left.filter(({ id }) => !before.has(id) && id !== first.requestId)
    const one = row.left === 'swept' ? { left: 'swept', charged: 0 } : { left: 'charged', charged: expect.any(Number) }
    expect({ ...row, found }).toMatchObject({ ...row, found: row.left === 'nothing' ? [] : [one] })
    before = new Set(left.map(({ id }) => id))
  }
  for (const row of runs) {
    const { point, stream } = row
    // The sweep of what the previous process left is a commit, too.
    const sweeps = point.endsWith('-commit') && earlier?.row.left === 'swept' ? 1 : 0
    const node = await startNode(app, { TOLLGATE_CRASH_AT: `${point}:${row.pass + sweeps}` })
    await look()
    const model = stream ? 'pace/8/20' : 'say/20'
    const first = await observedCall(node.url, key, model, stream)
    const second = await observedCall(node.url, key, model, stream)
    expect({ point, first: first.ended, second: second.ended }).toEqual({ point, first: true, second: false })
    await node.exited()
    expect(node.child.signalCode).toBe('SIGKILL')
    history.push(first, second)
    earlier = { row, first }
  }
  await startNode(app)
  await look()
  await expectCorrectBooks(app, { userId: payer.id, history, journal: upstream.journal })
})

if (engine === 'sqlite') {
  /* The first call has ended, and the second dies. */
  const ALONE: { point: CrashPoint; pass: number; charged: 1 | 2 }[] = [
    { point: 'after-hold', pass: 2, charged: 1 },
    { point: 'before-settle', pass: 2, charged: 1 },
    { point: 'after-settle', pass: 2, charged: 2 },
  ]
  /* It dies when it writes the tables: after the answer, or before it on a slow machine, when the charge may be in the journal already. */
  const WRITING: CrashPoint[] = ['before-commit', 'after-commit']

  test('a process alone on its file that dies at any crash point: the next one charges exactly what was confirmed', async () => {
    const { app, upstream, key, payer, charges } = await crashFixture()
    await leaveAlone(app)
    const history: Seen[] = []
    let expected = 0
    let maybe = 0
    for (const { point, pass, charged } of ALONE) {
      const node = await startNode(app, { TOLLGATE_CRASH_AT: `${point}:${pass}` })
      history.push(
        await observedCall(node.url, key, 'say/20', false),
        await observedCall(node.url, key, 'say/20', false),
      )
      await node.exited()
      expected += charged
    }
    for (const point of WRITING) {
      // What the previous process left is settled by this one, so that the next transaction is that of a call.
      await (await startNode(app)).kill()
      const node = await startNode(app, { TOLLGATE_CRASH_AT: `${point}:1` })
      const seen = await observedCall(node.url, key, 'say/20', false)
      await node.exited()
      history.push(seen)
      if (seen.ended) expected++
      else maybe++
    }
    const last = await startNode(app)
    expect(await untilNoneOpen(app, NOTICED_MS)).toEqual([])
    expect((await charges()).length).toBeWithin(expected, expected + maybe + 1)
    await expectCorrectBooks(app, { userId: payer.id, history, journal: upstream.journal })
    await last.kill()
  })
}

test('a stream whose process is killed is charged the recorded progress, and no more than was sent [R1.13]', async () => {
  const { app, upstream, key, charges, onlyLog, payer } = await crashFixture()
  const node = await startNode(app)
  const calling = observedCall(node.url, key, 'pace/50/400', true)
  const progress = await recordedProgress(app)
  await node.kill()
  await calling
  const [exchange] = upstream.journal
  const prompt = 10
  expect(progress).toBeGreaterThan(prompt)
  await startNode(app)
  expect(await untilNoneOpen(app, NOTICED_MS)).toEqual([])
  const [charge] = await charges()
  expect(0 - (charge?.delta ?? 0)).toBeGreaterThanOrEqual(progress)
  expect(0 - (charge?.delta ?? 0)).toBeLessThanOrEqual(prompt + 2 * (exchange?.tokensSent ?? 0))
  expect(await onlyLog()).toMatchObject({ type: 2, user_id: payer.id, detail: { flag: 'recovered' } })
  expect(await app.audit()).toEqual([])
})

/** Waits until an active stream has recorded its usage. */
async function recordedProgress({ db }: Awaited<ReturnType<typeof crashFixture>>['app']) {
  const deadline = Date.now() + 60_000
  for (;;) {
    const [hold] = await db.selectFrom('holds').select('progress').where('progress', '>', 0).execute()
    if (hold !== undefined) return hold.progress
    if (Date.now() > deadline) throw new Error('No progress was recorded')
    await Bun.sleep(20)
  }
}
