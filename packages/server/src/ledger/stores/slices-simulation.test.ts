import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seconds } from '../../common/clock.ts'
import { createLog } from '../../common/log.ts'
import { transact } from '../../database/client.ts'
import { callLog, ledgerFixture } from '../../testing/ledger-fixture.ts'
import { asRoot } from '../../testing/makers.ts'
import { seeded } from '../../testing/seeded.ts'
import type { BudgetClaim } from '../books.ts'
import { createCallLedger, type OpenHold } from '../call-ledger.ts'
import { setTokenLimit } from '../token-limit.ts'
import { createJournal } from './journal.ts'
import { isLent } from './open-store.ts'
import { createSlices } from './slices.ts'
import { LedgerUnavailable } from './store.ts'
import { createLedgerWriter } from './writer.ts'

/*
 * Processes with slices of one account that has unlimited keys, a limited one and one with a budget. Their calls grow, note progress, last for
 * several rounds, are settled twice, fail, or outlive their process. Answers of the database are lost, it is away for longer than an answer
 * waits, processes are killed and others end what they left, from their journals first. Meanwhile the account is topped up, keys are disabled
 * and enabled, and audits run. In every second world worse happens: processes are taken for dead while they live, journals are replayed after
 * the sweep, the balance and limits are cut, and budgets are added to running calls.
 *
 * Whatever the order: every confirmed charge is in the books once, nobody else is charged more than was delivered, and nothing stays held. If
 * nothing worse happens the balance and the limit are never exceeded.
 */

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(120_000)

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_119)
const WORLDS = Number(process.env.FUZZ_WORLDS ?? 4)
const PROCESSES = 5
const ROUND_MS = 100
/** An answer waits two seconds for the database, and then for the journal. */
const AWAY_MS = 2600
/** The first is enough for all calls, the second for some. */
const QUOTAS = [60_000, 3000]

interface Call {
  id: string
  /** The actual cost, when it is known. */
  actual: number
  /** The largest progress that was sent. */
  sent: number
  isSettling: boolean
  /** What the caller was told. */
  confirmed: number | undefined
  isDone: boolean
}

// On SQLite nothing is borrowed in the product, where one process decides alone; the rules are the same.
for (let world = 0; world < WORLDS; world++) {
  const isRough = world % 2 === 1
  const quota = QUOTAS[Math.floor(world / 2) % 2] ?? 0
  test(`processes with slices ${isRough ? 'to which the worst happens' : 'that are killed'}, a balance of ${quota}: nothing lost, nothing twice, nothing left (seed ${SEED + world})`, () =>
    simulate(SEED + world, quota, isRough))
}

async function simulate(seed: number, quota: number, isRough: boolean) {
  const random = seeded(seed)
  const chance = (percent: number) => random(100) < percent
  const fixture = await ledgerFixture({ quota })
  const { app, user } = fixture
  const { db } = app
  const log = createLog(() => {})
  const keys = await makeKeys(fixture)
  const claim = await makeClaim(fixture)
  const calls: Call[] = []
  const seen = { inSlices: 0, kept: 0, refused: 0, swept: 0, audits: 0 }
  let awayUntil = 0
  let epochs = 0
  let topUps = 0

  const sweep = async (epoch: string) => {
    await db
      .updateTable('owners')
      .set({ closed_at: seconds(app.clock) })
      .where('epoch', '=', epoch)
      .execute()
    const open = await db.selectFrom('holds').select('id').where('epoch', '=', epoch).where('state', '=', 0).execute()
    const logOf = (id: string) => callLog({ user_id: user.id, request_id: id, created_at: 3 })
    await fixture.store.run(open.map(({ id }) => ({ type: 'sweep', id, log: logOf(id), now: 3 })))
    seen.swept += open.length
  }

  const startProcess = async () => {
    const begin = async () => {
      const epoch = `process-${++epochs}`
      await db.insertInto('owners').values({ epoch, node: epoch, started_at: 1, closed_at: null }).execute()
      return epoch
    }
    const own = [await begin()]
    const current = () => own.at(-1) ?? ''
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const store = fixture.openStore()
    const never = new Promise<never>(() => {})
    let isDead = false
    const plain = createLedgerWriter(
      {
        async run(commands) {
          if (isDead) return never
          if (performance.now() < awayUntil) await Bun.sleep(20)
          if (performance.now() < awayUntil || chance(2)) throw new LedgerUnavailable('lost before')
          seen.inSlices += commands.filter((command) => command.type === 'settle' && command.inSlice).length
          const results = await store.run(commands)
          if (isDead) return never
          if (chance(2)) throw new LedgerUnavailable('lost after')
          return results
        },
        close: () => store.close(),
      },
      log,
    )
    const epochsOf = {
      ...{ current, opened() {}, ended() {}, lasting: () => Promise.resolve('lasting') },
      async renew(dead: string) {
        if (dead === current()) own.push(await begin())
      },
    }
    const writer = createSlices({
      ...{ writer: plain, epochs: epochsOf, isLent: isLent(db), clock: app.clock, roundMs: ROUND_MS },
    })
    const journal = createJournal(folder, log)
    const kept = { ...journal, keep: (command: Parameters<typeof journal.keep>[0]) => keep(command) }
    const keep: typeof journal.keep = async (command) => {
      await journal.keep(command)
      seen.kept++
    }
    const ledger = createCallLedger({
      ...{ writer, epochs: epochsOf, journal: kept, clock: app.clock, log },
      amountText: (quota) => ({ en: `${quota}`, zh: `${quota}` }),
    })
    return {
      ...{ writer, ledger, epochs: own, current },
      isDead: () => isDead,
      hasJournal: () => readdirSync(folder).some((name) => name.endsWith('.jsonl')),
      /** Everything it has on disk stays. */
      kill() {
        isDead = true
        void writer.close()
        const left = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
        onTestFinished(() => rmSync(left, { recursive: true, force: true }))
        const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
        for (const { name } of files) cpSync(join(folder, name), join(left, name))
        return left
      },
    }
  }
  type Process = Awaited<ReturnType<typeof startProcess>>

  const use = async (node: Process, hold: OpenHold, call: Call) => {
    for (let step = random(7) - 3; step > 0 && !node.isDead(); step--) {
      const dice = random(isRough ? 4 : 3)
      if (dice === 0) await Bun.sleep(random(4) * ROUND_MS)
      if (dice === 1) {
        const used = random(hold.amount() + 1)
        call.sent = Math.max(call.sent, used)
        void hold.progress(used)
      }
      if (dice === 2) await hold.extend(hold.amount() + random(60)).catch(() => {})
      if (dice === 3) await hold.extend(hold.amount(), { budgets: [claim] }).catch(() => {})
    }
    // A row that a database refuses to write grows no further.
    if (node.isDead()) return
    call.isDone = chance(90)
    call.actual = call.isDone ? random(hold.amount() + 1) : 0
    call.isSettling = true
    const end = {
      ...{ actual: call.actual, done: call.isDone, channelId: null, keepLog: true },
      log: callLog({ user_id: user.id, request_id: call.id, quota: call.actual, created_at: 3 }),
    }
    const [settled] = await Promise.all(Array.from({ length: chance(10) ? 2 : 1 }, () => hold.settle(end)))
    if (!node.isDead()) call.confirmed = settled?.charged
  }

  const callOn = async (node: Process) => {
    const call = { id: `call-${seed}-${calls.length}`, actual: 0, sent: 0, isSettling: false, isDone: false }
    const own: Call = { ...call, confirmed: undefined }
    calls.push(own)
    const { id, budgets } = keys[random(keys.length)] ?? { id: 0, budgets: false }
    const amount = chance(5) ? 0 : random(40)
    const hold = await node.ledger
      .hold({ userId: user.id, tokenId: id }, own.id, amount, '{}', budgets ? [claim] : undefined)
      .catch(() => undefined)
    if (hold === undefined) seen.refused++
    else await use(node, hold, own)
  }

  const living = new Set<Process>()
  const recover = async (dead: Process, left: string) => {
    const replay = () => createJournal(left, log).replay(createLedgerWriter(fixture.store, log))
    const endHolds = async () => {
      for (const epoch of dead.epochs) await sweep(epoch)
    }
    const steps = isRough && chance(50) ? [endHolds, replay] : [replay, endHolds]
    for (const step of steps) await step()
  }

  const disturb = async () => {
    const dice = random(isRough ? 7 : 4)
    const key = keys[random(keys.length)] ?? { id: 0 }
    if (dice === 0) {
      const posting = { kind: 'topup' as const, ref: `${seed}-${++topUps}`, userId: user.id, delta: random(100) }
      await transact(db, (tx) => app.parts.ledger.post(tx, posting))
    }
    if (dice === 1) await db.updateTable('tokens').set({ status: 2 }).where('id', '=', key.id).execute()
    else for (const { id } of keys) await db.updateTable('tokens').set({ status: 1 }).where('id', '=', id).execute()
    if (dice === 3) {
      expect(await app.audit()).toEqual([])
      seen.audits++
    }
    if (dice === 4) {
      const edit = { userId: user.id, target: -random(200), base: 0, actorId: 1, ref: Bun.randomUUIDv7() }
      await transact(db, (tx) => app.parts.ledger.setBalance(tx, edit)).catch(() => {})
    }
    if (dice === 5) {
      const limit = { id: key.id, unlimited: chance(50), remain: random(3000), base: undefined }
      await transact(db, (tx) => setTokenLimit(tx, limit)).catch(() => {})
    }
    if (dice === 6) for (const node of living) await sweep(node.current())
  }

  const live = async (turn: number) => {
    const node = await startProcess()
    living.add(node)
    const running: Promise<void>[] = []
    const isMortal = turn < PROCESSES - 2
    for (let burst = 30 + random(20); burst > 0; burst--) {
      const isAway = performance.now() < awayUntil
      running.push(...Array.from({ length: isAway ? random(2) : 2 + random(8) }, () => callOn(node)))
      await Bun.sleep(random(ROUND_MS))
    }
    if (!isMortal) {
      await Promise.all(running)
      return node
    }
    living.delete(node)
    await recover(node, node.kill())
    return undefined
  }

  // Two at a time, so that whoever dies is survived.
  let turn = 0
  const survivors: Process[] = []
  const lane = async () => {
    while (turn < PROCESSES) {
      const node = await live(turn++)
      if (node !== undefined) survivors.push(node)
    }
  }
  let isOver = false
  const disturbing = (async () => {
    for (let time = 0; !isOver; time++) {
      if (time === 10) awayUntil = performance.now() + AWAY_MS
      await disturb()
      await Bun.sleep(random(ROUND_MS))
    }
  })()
  await Promise.all([lane(), lane(), lane()])
  isOver = true
  await disturbing
  const openHolds = () => db.selectFrom('holds').select('id').where('state', '=', 0).execute()
  const isAtRest = async () => {
    for (const { writer } of survivors) await writer.close()
    return (
      (await openHolds()).length === 0 && survivors.every((node) => node.writer.calls() === 0 && !node.hasJournal())
    )
  }
  // What was promised by a journal is written, and holds of which nobody knows whether they exist are given back after a second.
  for (const deadline = Date.now() + 60_000; !(await isAtRest()) && Date.now() < deadline; ) await Bun.sleep(100)

  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
  const entries = await db
    .selectFrom('ledger')
    .select(['ref', 'delta', 'kind'])
    .where('kind', 'in', ['consume', 'late'])
    .execute()
  const logs = await db.selectFrom('logs').select(['request_id', 'quota']).where('type', '=', 2).execute()
  const wrong = calls.flatMap((call) => {
    const own = entries.filter(({ ref }) => ref === call.id)
    const charged = 0 - sum(own.map(({ delta }) => delta))
    const rows = logs.filter(({ request_id }) => request_id === call.id).map(({ quota }) => quota)
    const most = call.isSettling ? Math.max(call.sent, call.actual) : call.sent
    const isConfirmed = call.confirmed !== undefined && call.isDone
    const isRight =
      call.confirmed === undefined ? charged <= most : charged === call.actual && charged === call.confirmed
    const isOnce = own.filter(({ kind }) => kind === 'consume').length <= 1
    // A call that was swept and came back has a row for each part of its charge.
    const isLogged = sum(rows) === charged && rows.length <= (isRough ? 2 : 1) && (rows.length > 0 || !isConfirmed)
    return isRight && isOnce && isLogged ? [] : [{ ...call, charged, rows, own }]
  })
  expect(wrong).toEqual([])
  const account = await fixture.account()
  expect(account.held).toBe(0)
  const spentOfBudget = await db.selectFrom('budget_usage').select(['used', 'held']).execute()
  expect(spentOfBudget.map(({ held }) => held)).toEqual(spentOfBudget.map(() => 0))
  if (!isRough) {
    expect(account.quota).toBeGreaterThanOrEqual(0)
    const limited = await db.selectFrom('tokens').select('remain_quota').where('unlimited_quota', '=', 0).execute()
    for (const { remain_quota } of limited) expect(remain_quota).toBeGreaterThanOrEqual(0)
  }
  // A run in which nothing happened would prove nothing.
  expect(calls.filter(({ confirmed }) => confirmed !== undefined).length).toBeGreaterThan(100)
  expect(seen.inSlices).toBeGreaterThan(0)
  expect(seen.kept).toBeGreaterThan(0)
  expect(seen.audits).toBeGreaterThan(0)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

type Fixture = Awaited<ReturnType<typeof ledgerFixture>>

/** Two unlimited keys, one with a limit, and one whose calls count against a budget. */
async function makeKeys({ app, user }: Fixture) {
  for (const name of ['limited', 'another', 'budgeted']) {
    const limit = name === 'limited' ? { remain_quota: 1000 } : { unlimited_quota: true }
    expect(await user.client.post('/api/token/', { name, ...limit })).toMatchObject({ success: true })
  }
  const rows = await app.db.selectFrom('tokens').select(['id', 'name']).where('user_id', '=', user.id).execute()
  return rows.map(({ id, name }) => ({ id, budgets: name === 'budgeted' }))
}

async function makeClaim({ app, user }: Fixture): Promise<BudgetClaim> {
  const root = await asRoot(app)
  const budget = { scope: 'user', target: `${user.id}`, quota: 1_000_000, period: 'day' }
  const { data: id } = await root.post('/api/budget/', budget)
  return { id: Number(id), slot: 0, from: 0, until: 0 }
}
