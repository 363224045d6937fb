import { expect, setDefaultTimeout, test } from 'bun:test'
import type { RecordingSettings } from '@tollgate/contract'
import type { KyselyPlugin } from 'kysely'
import { createLog } from '../common/log.ts'
import { testApp } from '../testing/app.ts'
import { recordingFixture } from '../testing/recording-fixture.ts'
import { createRecorder } from './recorder.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const BOUNDS = { RecordingEnabled: true, RecordingShareMax: 100, RecordingDaysMax: 7, RecordingSizeMax: 256 }
const SETTINGS: RecordingSettings = { scope: 'all', share: 100, days: 7, size: 64 }

type Overrides = Partial<Parameters<typeof createRecorder>[0]>

async function recorderWith(overrides: Overrides = {}) {
  const app = await testApp()
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  const { db, clock, vault } = app
  const recorder = createRecorder({ db, clock, vault, log, bounds: () => BOUNDS, ...overrides })
  const begin = (settings: Partial<RecordingSettings> = {}) =>
    recorder.begin({
      ...{ requestId: Bun.randomUUIDv7(), userId: 1, tokenId: 1, operation: 'chat/completions', key: '' },
      settings: { ...SETTINGS, ...settings },
    })
  const rows = () => app.db.selectFrom('recordings').selectAll().execute()
  return { recorder, begin, rows, lines }
}

test('a share of the calls is recorded, and never more than the administrator allows', async () => {
  let drawn = 0
  const random = () => drawn++ / 100
  const half = await recorderWith({ random })
  const kept = Array.from({ length: 100 }, () => half.begin({ share: 30 })).filter((call) => call !== undefined)
  expect(kept).toHaveLength(30)

  drawn = 0
  const bounded = await recorderWith({ random, bounds: () => ({ ...BOUNDS, RecordingShareMax: 5 }) })
  expect(Array.from({ length: 100 }, () => bounded.begin()).filter((call) => call !== undefined)).toHaveLength(5)
})

test('memory is bounded: without room a recording is dropped and counted, and room is freed again', async () => {
  const { recorder, begin, rows, lines } = await recorderWith({ memoryMax: 10_000 })
  const [first, second] = [begin(), begin()]
  first?.received('a'.repeat(6000))
  second?.received('b'.repeat(6000))
  expect(recorder.held()).toBe(6000)
  expect(recorder.dropped()).toBe(1)
  second?.answered(Buffer.from('late'), 'application/json')
  expect(second?.entered('success')).toBe(false)
  second?.end(200)
  expect(first?.entered('success')).toBe(true)
  first?.end(200)
  await recorder.flush()
  expect(await rows()).toHaveLength(1)
  expect(recorder.held()).toBe(0)
  expect(lines.join()).toContain('Recordings were lost')
})

test('of an endless stream at most a megabyte is kept, and all of it is counted', async () => {
  const { recorder, begin, rows } = await recorderWith()
  const call = begin()
  call?.streams('text/event-stream')
  const piece = new Uint8Array(64 * 1024).fill(32)
  for (let pieces = 0; pieces < 64; pieces++) call?.piece(piece)
  expect(recorder.held()).toBe(1024 * 1024)
  call?.entered('success')
  call?.end(200)
  await recorder.flush()
  expect(await rows()).toMatchObject([{ response_size: 4 * 1024 * 1024, response_cut: 1 }])
})

test('a call does not wait for a slow database to store its recording', async () => {
  const gate = Promise.withResolvers<void>()
  const waiting = Promise.withResolvers<void>()
  const slow = new WeakSet<object>()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes('request_sealed') && node.kind === 'InsertQueryNode') slow.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (!slow.has(queryId)) return result
      waiting.resolve()
      await gate.promise
      return result
    },
  }
  const { app, chat, channel, onlyLog, logs } = await recordingFixture({
    faults: {
      failAt: () => {},
      count: () => 0,
      database: (database) => ({ ...database, db: database.db.withPlugin(plugin) }),
      writer: (writer) => writer,
    },
  })
  await channel('gpt-4o-mini')
  expect((await chat('gpt-4o-mini')).status).toBe(200)
  await waiting.promise
  expect((await onlyLog()).detail).toMatchObject({ recorded: true })
  expect((await chat('gpt-4o-mini')).status).toBe(200)
  await (await chat('gpt-4o-mini', { stream: true })).text()
  expect(await logs()).toHaveLength(3)
  expect(app.parts.recorder.held()).toBeGreaterThan(0)
  gate.resolve()
  await app.parts.recorder.flush()
  expect(app.parts.recorder.held()).toBe(0)
  expect(await app.db.selectFrom('recordings').select('request_id').execute()).toHaveLength(3)
})

test('a database that refuses loses the recording and not the call, and the loss is counted', async () => {
  const { app, chat, channel } = await recordingFixture()
  await channel('gpt-4o-mini')
  await app.db.schema.alterTable('recordings').renameTo('elsewhere').execute()
  const response = await chat('gpt-4o-mini')
  expect(response.status).toBe(200)
  await app.parts.recorder.flush()
  expect(app.parts.recorder.dropped()).toBe(1)
  expect(app.parts.recorder.held()).toBe(0)
  await app.db.schema.alterTable('elsewhere').renameTo('recordings').execute()
  await (await chat('gpt-4o-mini')).text()
  await app.parts.recorder.flush()
  expect(await app.db.selectFrom('recordings').select('request_id').execute()).toHaveLength(1)
})
