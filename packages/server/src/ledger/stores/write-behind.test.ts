import { Database } from 'bun:sqlite'
import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../common/log.ts'
import { transact } from '../../database/client.ts'
import { engine } from '../../testing/database.ts'
import { callLog, ledgerFixture } from '../../testing/ledger-fixture.ts'
import { asRoot } from '../../testing/makers.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { seeded } from '../../testing/seeded.ts'
import type { BudgetClaim } from '../books.ts'
import type { Command, SettleCommand } from '../commands.ts'
import { createJournal } from './journal.ts'
import { createSqliteStore, type SqliteStore } from './sqlite-store.ts'
import type { LedgerStore, Results } from './store.ts'
import { createWriteBehind } from './write-behind.ts'
import { createLedgerWriter } from './writer.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_117)
/** Nothing is written unless the test says so. */
const NEVER = 1_000_000_000
/** A rolling budget of three slots. */
const claimAt = (slot: number): BudgetClaim => ({ id: 1, slot, from: slot - 2, until: slot })

if (engine === 'sqlite') {
  test('a charge is confirmed before the tables have it, and a hold that has ended by then never was a row', async () => {
    const { behind, hold, settle, rows } = await aloneFixture()
    const { store } = behind()
    await store.run([hold('a', 100), hold('b', 50)])
    expect(await store.run([settle('a', 30)])).toMatchObject([{ ok: true, charged: 30 }])
    expect(rows()).toEqual({ quota: 2000, held: 0, holds: 0, charges: 0 })
    await store.flush()
    expect(rows()).toEqual({ quota: 1970, held: 50, holds: 1, charges: 1 })
    await store.run([settle('b', 50)])
    await store.flush()
    expect(rows()).toEqual({ quota: 1920, held: 0, holds: 0, charges: 2 })
  })

  test('what a batch decides is told at once, before the disk has its charges', async () => {
    const { behind, hold, settle, rows } = await aloneFixture()
    const { store } = behind()
    const decided: Results[] = []
    const running = store.run([hold('a', 100), settle('a', 30)], (results) => decided.push(results))
    expect(decided).toMatchObject([[{ ok: true }, { ok: true, charged: 30 }]])
    expect([await running]).toEqual(decided)
    expect(rows()).toMatchObject({ quota: 2000, charges: 0 })
  })

  test('whoever reads through the server sees a charge as soon as it is confirmed', async () => {
    const { app, chat, channel, charges } = await relayFixture({ options: { DefaultModelRatio: 1 } })
    await channel('say/5')
    const file = new Database(app.location, { readonly: true })
    const written = () => file.query("SELECT count(*) AS rows FROM ledger WHERE kind = 'consume'").get()
    for (let call = 1; call <= 5; call++) {
      await (await chat('say/5')).text()
      expect(await charges()).toHaveLength(call)
      expect(written()).toEqual({ rows: call })
    }
    file.close()
  })

  test('a confirmed charge whose process is killed before it wrote the tables is settled once by the next, against its budgets too', async () => {
    const { behind, hold, settle, account, spentOfBudget } = await aloneFixture()
    const first = behind()
    await first.store.run([hold('a', 100), hold('b', 50)])
    await first.store.run([{ ...settle('a', 30), log: callLog({ request_id: 'a' }), keepLog: true }])
    first.kill()
    const second = behind()
    await second.replay(first)
    await second.replay(first)
    await second.store.flush()
    expect(await account()).toMatchObject({ quota: 1970, held: 0, used_quota: 30, request_count: 1 })
    expect(await spentOfBudget()).toEqual({ used: 30, held: 0 })
    // A process that dies right after its transaction has the same lines in its journal.
    await second.store.run([hold('c', 100), settle('c', 7)])
    await second.store.flush()
    second.kill()
    const third = behind()
    await third.replay(second)
    await third.store.flush()
    expect(await account()).toMatchObject({ quota: 1963, held: 0, request_count: 2 })
  })

  test('a balance that another lowers below what is held and not yet written: the call is charged all the same, and the books add up', async () => {
    const { behind, app, file, user, hold, settle, account } = await aloneFixture()
    const { store } = behind()
    await store.run([hold('a', 1000)])
    file.run('UPDATE users SET quota = 400 WHERE id = ?', [user.id])
    file.run('UPDATE ledger SET delta = 400, balance = 400 WHERE user_id = ?', [user.id])
    expect(await store.run([hold('b', 1)])).toMatchObject([{ ok: true }])
    expect(await store.run([hold('c', 400)])).toMatchObject([{ ok: false, refusal: 'user' }])
    await store.run([settle('a', 700), settle('b', 1)])
    await store.flush()
    expect(await account()).toMatchObject({ quota: -301, held: 0, used_quota: 701 })
    expect(await app.audit()).toEqual([])
  })

  test('while another process uses the file, every batch is written at once', async () => {
    const { behind, app, hold, settle, rows } = await aloneFixture()
    const { store } = behind()
    await store.run([hold('a', 100)])
    expect(rows()).toMatchObject({ held: 0 })
    await app.db
      .insertInto('owners')
      .values({ epoch: 'other', node: 'other', started_at: 1, closed_at: null })
      .execute()
    await store.run([hold('b', 10)])
    expect(rows()).toMatchObject({ held: 110, holds: 2 })
    await store.run([settle('b', 10)])
    expect(rows()).toMatchObject({ held: 100, charges: 1 })
    await app.db.updateTable('owners').set({ closed_at: 1 }).where('epoch', '=', 'other').execute()
    await store.run([settle('a', 10)])
    expect(rows()).toMatchObject({ held: 100, charges: 1 })
    await store.flush()
  })

  test('a command that the database refuses keeps nobody else waiting, and its charge is kept', async () => {
    const { behind, file, hold, settle, rows } = await aloneFixture()
    file.run("CREATE TRIGGER refuse BEFORE INSERT ON ledger WHEN NEW.ref = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END")
    const { store, kept } = behind()
    await store.run(['a', 'bad', 'b'].map((id) => hold(id, 10)))
    await store.run(['a', 'bad', 'b'].map((id) => settle(id, 5)))
    await store.flush()
    expect(rows()).toMatchObject({ quota: 1990, charges: 2 })
    expect(kept.map(({ id }) => id)).toEqual(['bad'])
  })

  test('while the database takes nothing no call is accepted, and what was confirmed before is written when it does again', async () => {
    const { behind, file, hold, settle, rows } = await aloneFixture()
    const { store } = behind()
    await store.run([hold('a', 10), settle('a', 5)])
    file.run("CREATE TRIGGER full BEFORE UPDATE ON users BEGIN SELECT RAISE(ABORT, 'no space'); END")
    await expect(store.flush()).rejects.toThrow('no space')
    await expect(store.run([hold('b', 10)])).rejects.toThrow('no space')
    file.run('DROP TRIGGER full')
    expect(await store.run([hold('b', 10)])).toMatchObject([{ ok: true }])
    expect(rows()).toMatchObject({ quota: 1995, charges: 1 })
    await store.run([settle('b', 0)])
    await store.flush()
  })

  test('a call that began in the last slot of a budget and ends in the next one counts where it began, also before the tables have it', async () => {
    const { behind, app, hold, settle, nextSlot } = await aloneFixture()
    const { store } = behind()
    const used = () => app.db.selectFrom('budget_usage').select(['slot', 'used', 'held']).orderBy('slot').execute()
    await store.run([hold('a', 100), hold('b', 40)])
    for (let time = 0; time < 3; time++) nextSlot()
    await store.run([hold('c', 7)])
    await store.run([settle('a', 30)])
    await store.run([hold('d', 5)])
    await store.flush()
    expect(await used()).toEqual([
      { slot: 0, used: 30, held: 40 },
      { slot: 3, used: 0, held: 12 },
    ])
    await store.run([settle('b', 40), settle('c', 7), settle('d', 0)])
    await store.flush()
    expect(await used()).toEqual([
      { slot: 0, used: 70, held: 0 },
      { slot: 3, used: 7, held: 0 },
    ])
  })

  for (let world = 0; world < 4; world++) {
    const seed = SEED + world
    test(`calls, top-ups by others and kills in any order: each confirmed charge is in the books once (seed ${seed})`, async () => {
      await simulate(seed)
    })
  }
}

async function simulate(seed: number) {
  const random = seeded(seed)
  const fixture = await aloneFixture()
  const { app, hold, settle, account, spentOfBudget } = fixture
  let process = fixture.behind()
  const open = new Map<string, number>()
  const confirmed = new Map<string, number>()
  let balance = 2000
  for (let step = 0; step < 300; step++) {
    const dice = random(100)
    if (dice % 9 === 0) fixture.nextSlot()
    if (dice < 45) {
      const id = `call-${step}`
      const amount = random(60)
      const [result] = await process.store.run([hold(id, amount)])
      if (result instanceof Error) throw result
      if (result?.ok) open.set(id, amount)
    } else if (dice < 80) {
      const [id] = [...open.keys()].slice(random(open.size))
      if (id === undefined) continue
      const actual = random((open.get(id) ?? 0) + 1)
      const ends: Command[] = random(4) === 0 ? [{ type: 'progress', id, used: actual }] : []
      await process.store.run([...ends, settle(id, actual)])
      confirmed.set(id, actual)
      open.delete(id)
    } else if (dice < 88) await process.store.flush()
    else if (dice < 96) {
      const delta = random(100)
      await fixture.topUp(`top-up-${step}`, delta)
      balance += delta
    } else {
      process.kill()
      open.clear()
      const next = fixture.behind()
      await next.replay(process)
      process = next
      await fixture.sweep(process.store)
    }
  }
  for (const id of open.keys()) await process.store.run([{ ...settle(id, 0), done: false }])
  await process.store.flush()
  const charged = [...confirmed.values()].reduce((sum, each) => sum + each, 0)
  expect(await account()).toEqual({
    ...{ quota: balance - charged, held: 0, used_quota: charged, request_count: confirmed.size },
  })
  expect(await spentOfBudget()).toEqual({ used: charged, held: 0 })
  const rows = await app.db.selectFrom('ledger').select(['ref', 'delta']).where('kind', '=', 'consume').execute()
  expect(new Map(rows.map(({ ref, delta }) => [ref, 0 - delta]))).toEqual(confirmed)
  expect(rows).toHaveLength(confirmed.size)
  expect(await app.audit()).toEqual([])
}

/** The ledger of a process that is alone on its file, because the test's own server has closed its epoch. */
async function aloneFixture() {
  const fixture = await ledgerFixture({ quota: 2000 })
  const { app, user, tokenId } = fixture
  const root = await asRoot(app)
  await root.post('/api/budget/', { scope: 'user', target: `${user.id}`, quota: 1_000_000, period: 'day' })
  await app.db.updateTable('owners').set({ closed_at: 1 }).execute()
  const file = new Database(app.location)
  onTestFinished(() => file.close())
  const payer = { userId: user.id, tokenId }
  let number = 0
  let slot = 0
  const claims = new Map<string, BudgetClaim>()

  /** A process that can be killed: nothing is written any more, and its journal stays. */
  const behind = () => {
    const epoch = `epoch ${++number}`
    file.run('UPDATE owners SET closed_at = 1 WHERE closed_at IS NULL')
    file.run('INSERT INTO owners (epoch, node, started_at) VALUES (?, ?, 1)', [epoch, epoch])
    const plain = createSqliteStore(app.location)
    let isDead = false
    const mortal: SqliteStore = { ...plain, write: (commands) => (isDead ? [] : plain.write(commands)) }
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
    const log = createLog(() => {})
    const kept: SettleCommand[] = []
    const keep = async (charge: SettleCommand) => void kept.push(charge)
    const store = createWriteBehind(mortal, { folder, keep, log, behindMs: NEVER })
    onTestFinished(async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    })
    return {
      ...{ store, folder, epoch, kept },
      kill() {
        isDead = true
      },
      async replay(dead: { folder: string }) {
        const copies = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
        const names = readdirSync(dead.folder, { withFileTypes: true }).filter((entry) => entry.isFile())
        for (const { name } of names) cpSync(join(dead.folder, name), join(copies, name))
        await createJournal(copies, log).replay(createLedgerWriter(store, log))
        rmSync(copies, { recursive: true })
      },
    }
  }

  return {
    ...fixture,
    ...{ file, behind },
    /** What the tables have, whatever is decided. */
    rows: () =>
      file
        .query(`SELECT quota, held, (SELECT count(*) FROM holds) AS holds,
          (SELECT count(*) FROM ledger WHERE kind = 'consume') AS charges FROM users WHERE id = ?`)
        .get(user.id),
    spentOfBudget: () =>
      app.db
        .selectFrom('budget_usage')
        .select(({ fn }) => [fn.sum<number>('used').as('used'), fn.sum<number>('held').as('held')])
        .executeTakeFirst(),
    /** Time passes: later calls count in the next slot of their budget. */
    nextSlot: () => void slot++,
    topUp: (ref: string, delta: number) =>
      transact(app.db, (tx) => app.parts.ledger.post(tx, { kind: 'topup', ref, userId: user.id, delta })),
    /** Ends the holds of dead processes. */
    async sweep(store: LedgerStore) {
      const left = await app.db
        .selectFrom('holds')
        .select('id')
        .where('epoch', '<>', `epoch ${number}`)
        .where('state', '=', 0)
        .execute()
      await store.run(left.map(({ id }) => ({ type: 'sweep', id, log: callLog({ request_id: id }), now: 9 })))
    },
    hold(id: string, amount: number): Command {
      claims.set(id, claimAt(slot))
      return { ...fixture.hold(id, amount), epoch: `epoch ${number}`, budgets: [claimAt(slot)] }
    },
    settle: (id: string, actual: number): SettleCommand => ({
      ...{ ...fixture.settle(id, actual), payer, budgets: [claims.get(id) ?? claimAt(slot)] },
    }),
  }
}
