import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createLog } from '../../common/log.ts'
import type { ProcessLimits } from '../../testing/command.ts'
import { engine } from '../../testing/database.ts'
import { callLog, ledgerFixture } from '../../testing/ledger-fixture.ts'
import { startNode } from '../../testing/node-process.ts'
import { observedCall, untilNoneOpen } from '../../testing/observed-load.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { stallingProxy } from '../../testing/stalling-proxy.ts'
import { createJournal } from './journal.ts'
import { type LedgerStore, LedgerUnavailable } from './store.ts'
import { createLedgerWriter } from './writer.ts'

// Processes are started, possibly on a busy machine.
setDefaultTimeout(180_000)

const MODEL = 'pace/100/10'

/** A charge that the database has not confirmed after this time goes to the journal. */
const LATE_MS = 2000

/** A database that can be kept from answering a node, and the folder of that node's journal. */
async function fixture() {
  const world = await relayFixture({ quota: 1_000_000, options: { DefaultModelRatio: 1 } })
  await world.channel(MODEL)
  const { app } = world
  const dataDir = engine === 'postgres' ? app.dataDir : dirname(app.location)
  const folder = join(dataDir, 'settlements')
  const journals = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [])
  if (engine === 'postgres') {
    const proxy = await stallingProxy(app.location, 5432)
    const start = (limits?: ProcessLimits) => startNode(app, { DATABASE_URL: proxy.url, DATA_DIR: dataDir }, limits)
    return { ...world, folder, journals, start, silence: proxy.stall, goOn: proxy.goOn }
  }
  // Another transaction holds the write lock and does not end.
  let writer: Database | undefined
  const silence = () => {
    writer = new Database(app.location)
    writer.run('PRAGMA busy_timeout = 5000')
    writer.run('BEGIN IMMEDIATE')
  }
  return {
    ...world,
    folder,
    journals,
    start: (limits?: ProcessLimits) => startNode(app, {}, limits),
    silence,
    goOn: () => writer?.close(),
  }
}

async function answeredInSilence(world: Awaited<ReturnType<typeof fixture>>) {
  const node = await world.start()
  const calling = observedCall(node.url, world.key, MODEL, true)
  await world.upstream.received(1)
  world.silence()
  const seen = await calling
  expect(seen).toMatchObject({ status: 200, ended: true })
  return { node, seen }
}

async function expectOneCharge(world: Awaited<ReturnType<typeof fixture>>, cost: number | undefined) {
  expect(await untilNoneOpen(world.app, 60_000)).toEqual([])
  const deadline = Date.now() + 60_000
  while (world.journals().length > 0 && Date.now() < deadline) await Bun.sleep(20)
  expect(world.journals()).toEqual([])
  const charged = (await world.charges()).reduce((sum, { delta }) => sum - delta, 0)
  expect(charged).toBe(cost ?? 0)
  expect(await world.account()).toMatchObject({ held: 0, used_quota: cost, request_count: 1 })
  expect(await world.app.audit()).toEqual([])
}

test('an answer that ended while the database was silent is charged, even if its process is killed before the database is back', async () => {
  const world = await fixture()
  const { node, seen } = await answeredInSilence(world)
  expect(world.journals()).toHaveLength(1)
  await node.kill()
  const copy = `${world.folder}-copy`
  cpSync(world.folder, copy, { recursive: true })
  world.goOn()
  const next = await world.start()
  await expectOneCharge(world, seen.cost)
  await next.kill()

  // Read again, as after a kill between the database and the removal of the file: nothing is charged twice.
  cpSync(copy, world.folder, { recursive: true })
  await (await world.start()).kill()
  await expectOneCharge(world, seen.cost)
})

test('an answer that ended while the database was silent is charged once it is back, and the journal is removed', async () => {
  const world = await fixture()
  const { node, seen } = await answeredInSilence(world)
  expect(world.journals()).toHaveLength(1)
  world.goOn()
  await expectOneCharge(world, seen.cost)
  await node.kill()
})

// On SQLite the limit would hold for the database, too.
if (engine === 'postgres') {
  test('an answer whose charge fits only partly on the disk waits for the database', async () => {
    const world = await fixture()
    const node = await world.start({ fileBytes: 500 })
    const calling = observedCall(node.url, world.key, MODEL, true)
    await world.upstream.received(1)
    world.silence()
    await node.logged('The journal cannot be written')
    world.goOn()
    const seen = await calling
    expect(seen).toMatchObject({ status: 200, ended: true })
    await node.kill()
    await (await world.start()).kill()
    await expectOneCharge(world, seen.cost)
  })
}

test('as long as the database answers there is no journal', async () => {
  // On a machine that stalls, a database that answers may be late all the same: such a call proves nothing, the next one may.
  for (;;) {
    const world = await fixture()
    const node = await world.start()
    const startedAt = performance.now()
    const seen = await observedCall(node.url, world.key, MODEL, true)
    const ms = performance.now() - startedAt
    const hadJournal = existsSync(world.folder)
    await node.kill()
    expect(seen).toMatchObject({ ended: true })
    if (ms > LATE_MS) continue
    expect(hadJournal).toBe(false)
    return
  }
})

test('an unreadable line is not discarded: readable ones are settled, and the file stays', async () => {
  const { app, store, hold, settle, account } = await ledgerFixture()
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  await store.run([hold('a', 10)])
  const folder = join(app.dataDir, 'settlements')
  mkdirSync(folder, { recursive: true })
  const text = `{"type":"of another version"}\n${JSON.stringify(settle('a', 4))}\n`
  writeFileSync(join(folder, 'dead.jsonl'), text)
  await createJournal(folder, log).replay(createLedgerWriter(store, log))
  expect(await account()).toMatchObject({ quota: 999_996, held: 0 })
  expect(readFileSync(join(folder, 'dead.jsonl.unread'), 'utf8')).toBe(text)
  expect(existsSync(join(folder, 'dead.jsonl'))).toBe(false)
  expect(lines.join()).toContain('"unreadable":1')
})

test('a settlement that the database refuses for good, or whose hold is not in the books, holds up nobody, and the file stays', async () => {
  const { app, store, hold, settle, account } = await ledgerFixture()
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  await store.run([hold('a', 10), hold('bad', 10)])
  const folder = join(app.dataDir, 'settlements')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'dead.jsonl')
  const text = [settle('a', 4), settle('bad', 5), settle('gone', 6)].map((each) => `${JSON.stringify(each)}\n`).join('')
  let refusal: Error = new LedgerUnavailable('Away')
  const refusing: LedgerStore = {
    run(commands) {
      if (commands.some(({ id }) => id === 'bad')) throw refusal
      return store.run(commands)
    },
    close: () => store.close(),
  }
  const replay = () => createJournal(folder, log).replay(createLedgerWriter(refusing, log))
  writeFileSync(path, text)
  await expect(replay()).rejects.toThrow('Away')
  expect(readFileSync(path, 'utf8')).toBe(text)
  refusal = Object.assign(new Error('out of range'), { errno: '22003' })
  await replay()
  expect(await account()).toMatchObject({ quota: 999_996, held: 10 })
  expect(readFileSync(`${path}.unread`, 'utf8')).toBe(text)
  expect(existsSync(path)).toBe(false)
  expect(lines.join()).toMatch(/"missing":\["gone"\].*"refused":\["bad"\]/)
})

test('a journal that cannot be read holds up neither the others nor the start, and is named once', async () => {
  const { app, store, hold, settle, account } = await ledgerFixture()
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  await store.run([hold('a', 10)])
  const folder = join(app.dataDir, 'settlements')
  mkdirSync(join(folder, 'a-folder.jsonl'), { recursive: true })
  writeFileSync(join(folder, 'dead.jsonl'), `${JSON.stringify(settle('a', 4))}\n`)
  const journal = createJournal(folder, log)
  for (let round = 0; round < 3; round++) await journal.replay(createLedgerWriter(store, log))
  expect(await account()).toMatchObject({ quota: 999_996, held: 0 })
  expect(lines.filter((line) => line.includes('cannot be read'))).toHaveLength(1)
  expect(lines.join()).toContain('a-folder.jsonl')
})

test('several processes that share a folder and start at the same time settle its journals once', async () => {
  const { app, store, hold, settle, account } = await ledgerFixture()
  const log = createLog(() => {})
  const folder = join(app.dataDir, 'settlements')
  mkdirSync(folder, { recursive: true })
  const ids = Array.from({ length: 40 }, (_, index) => `call-${index}`)
  await store.run(ids.map((id) => hold(id, 10)))
  for (const id of ids) writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify(settle(id, 4))}\n`)
  const writer = createLedgerWriter(store, log)
  await Promise.all(Array.from({ length: 4 }, () => createJournal(folder, log).replay(writer)))
  expect(await account()).toMatchObject({ quota: 999_840, held: 0, request_count: 40 })
  expect(readdirSync(folder).filter((name) => name.endsWith('.jsonl'))).toEqual([])
})

test('a torn last line is ignored, those before it are settled, and a journal that is being written is left alone', async () => {
  const { app, store, hold, settle, account } = await ledgerFixture()
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  const writer = createLedgerWriter(store, log)
  await store.run([hold('a', 10), hold('b', 10), hold('c', 10)])
  const folder = join(app.dataDir, 'settlements')
  const living = createJournal(folder, log)
  await living.keep({ ...settle('c', 9), log: callLog() })
  const whole = JSON.stringify(settle('a', 4))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'dead.jsonl'), `${whole}\n${JSON.stringify(settle('gone', 5))}\n${whole.slice(0, 20)}`)
  await createJournal(folder, log).replay(writer)
  expect(await account()).toMatchObject({ quota: 999_996, held: 20, request_count: 1 })
  expect(lines.join()).toContain('"missing":["gone"]')
  expect(readdirSync(folder).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1)
  living.done('c')
  while (readdirSync(folder).some((name) => name.endsWith('.jsonl'))) await Bun.sleep(1)
})
