import { expect, setDefaultTimeout, test } from 'bun:test'
import { type Log, LogType, OUTCOMES, type Outcome } from '@tollgate/contract'
import { cacheReads, cacheWrites, type Usage, usageOf } from '@tollgate/providers'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { CallLog } from '../ledger/books.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { callLog, ledgerFixture } from '../testing/ledger-fixture.ts'
import { asRoot } from '../testing/makers.ts'
import { historyRepository } from './history-repository.ts'
import { latencyRepository } from './latency-repository.ts'
import { latencyRows } from './latency-sums.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

const START = Date.parse('2026-10-01T00:00:00Z') / 1000

interface Made {
  outcome: Outcome
  answered: boolean
  at: number
  model: string
  channel: number
  key: string
  usage: Partial<Usage>
  quota: number
  firstByte: number
  elapsed: number
}

/** How the log of each version describes an answered and a failed call. */
const ANSWERED: Partial<Record<Outcome, object>> = {
  success: {},
  canceled: { flag: 'client_abort' },
  upstream_error: { flag: 'partial' },
  access: { flag: 'quota_end' },
  timeout: { flag: 'time_out' },
}
const FAILED: Partial<Record<Outcome, object>> = {
  client_error: { error: 'Unsupported value', attempts: [{ status: 400 }] },
  upstream_error: { error: 'Busy', attempts: [{ status: 429 }] },
  timeout: { error: 'The upstream did not answer in time', attempts: [{ status: 504 }] },
  canceled: { error: 'The client left before the answer', attempts: [] },
}

const made = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  answered: fc.boolean(),
  at: fc.integer({ min: START, max: START + 3 * 86_400 }),
  model: fc.constantFrom('a', 'b', 'Model c'),
  channel: fc.constantFrom(1, 2),
  key: fc.constantFrom('k', 'default'),
  usage: fc.record({
    input: fc.nat(5000),
    cachedInput: fc.nat(500),
    cacheWrite: fc.nat(50),
    cacheWriteLong: fc.nat(5),
    output: fc.nat(3000),
    reasoning: fc.nat(300),
  }),
  quota: fc.nat(900),
  firstByte: fc.nat(5000),
  elapsed: fc.nat(20_000),
})

/** Calls as the relay settles them, through the real ledger. */
async function settled(calls: readonly Made[]) {
  const fixture = await ledgerFixture({ quota: 1_000_000_000 })
  const { app, store, user } = fixture
  for (const [number, call] of calls.entries()) {
    const log = logOf(call, user.id)
    await store.run([fixture.hold(`call-${number}`, 1)])
    await store.run([
      { ...fixture.settle(`call-${number}`, log.quota), done: log.type === LogType.consume, log, keepLog: true },
    ])
  }
  return { app, root: await asRoot(app) }
}

function logOf({ outcome, answered, usage, ...call }: Made, user_id: number): CallLog {
  const isAnswered = (answered && outcome in ANSWERED) || !(outcome in FAILED)
  const used = usageOf(isAnswered ? usage : {})
  // Outcomes that are impossible for an answered or a failed call count as success.
  const [detail, told] = isAnswered
    ? ([ANSWERED[outcome] ?? {}, outcome in ANSWERED ? outcome : 'success'] as const)
    : ([FAILED[outcome] ?? {}, outcome] as const)
  return callLog({
    ...{ user_id, username: 'u', created_at: call.at, model_name: call.model, channel: call.channel },
    ...{ token_name: call.key, type: isAnswered ? LogType.consume : LogType.failed, outcome: told },
    ...{ quota: isAnswered ? call.quota : 0, prompt_tokens: used.input, completion_tokens: used.output },
    ...{ cached_tokens: cacheReads(used), cache_write_tokens: cacheWrites(used), reasoning_tokens: used.reasoning },
    ...{ first_byte_time: call.firstByte, elapsed_time: call.firstByte + call.elapsed, is_stream: call.at % 2 },
    detail: JSON.stringify({ usage, ...detail, ...(isAnswered ? {} : { usage: {} }) }),
  })
}

const TABLES = {
  total_usage: ['span', 'start'],
  site_usage: ['span', 'start', 'model_name', 'channel'],
  key_usage: ['span', 'start', 'user_id', 'token_name'],
  usage_hours: ['user_id', 'hour', 'model_name', 'token_name', 'channel'],
  usage_days: ['user_id', 'day', 'model_name', 'token_name', 'channel'],
} as const

/** All figures, by table and key. Rows of zeros are ignored. */
async function figuresOf(db: Db) {
  await upToDateFigures(db)
  const all: Record<string, number[]> = {}
  for (const [table, key] of Object.entries(TABLES)) {
    const { rows } = await sql<Record<string, string | number>>`SELECT * FROM ${sql.table(table)}`.execute(db)
    for (const row of rows) {
      const sums = FIGURE_COLUMNS.map((column) => Number(row[column]))
      if (sums.some((sum) => sum !== 0)) all[[table, ...key.map((name) => row[name])].join(' ')] = sums
    }
  }
  return all
}

/** The same, added up from the entries of an exported log. */
function addedUp(entries: readonly Log[]) {
  const all: Record<string, number[]> = {}
  for (const entry of entries) {
    const isAnswered = entry.type === LogType.consume
    const usage = usageOf((entry.detail?.usage ?? {}) as Partial<Usage>)
    const is = (outcome: Outcome) => (entry.outcome === outcome ? 1 : 0)
    const sums = [
      ...[isAnswered ? 1 : 0, entry.quota, entry.prompt_tokens, entry.completion_tokens, isAnswered ? 0 : 1],
      ...[is('client_error'), is('access'), is('rate_limited'), is('upstream_error'), is('timeout'), is('canceled')],
      ...[cacheReads(usage), cacheWrites(usage), usage.reasoning],
    ]
    const [hour, day] = [3600, 86_400].map((span) => entry.created_at - (entry.created_at % span)) as [number, number]
    const { user_id, model_name, token_name, channel } = entry
    const keys = [
      ...[`total_usage 3600 ${hour}`, `total_usage 86400 ${day}`],
      ...[`site_usage 3600 ${hour} ${model_name} ${channel}`, `site_usage 86400 ${day} ${model_name} ${channel}`],
      ...[`key_usage 3600 ${hour} ${user_id} ${token_name}`, `key_usage 86400 ${day} ${user_id} ${token_name}`],
      `usage_hours ${user_id} ${hour} ${model_name} ${token_name} ${channel}`,
      `usage_days ${user_id} ${day} ${model_name} ${token_name} ${channel}`,
    ]
    for (const key of keys) all[key] = sums.map((sum, column) => sum + (all[key]?.[column] ?? 0))
  }
  return all
}

const exported = async (root: Awaited<ReturnType<typeof asRoot>>): Promise<Log[]> => {
  const { data } = await root.get('/api/log/export?format=jsonl')
  const entries: Log[] = String(data)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return entries.filter(({ type }) => type === LogType.consume || type === LogType.failed)
}

test('the figures equal the sums of the log, for any calls and outcomes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(made, { minLength: 1, maxLength: 30 }), async (calls) => {
      const { app, root } = await settled(calls)
      const entries = await exported(root)
      expect(entries).toHaveLength(calls.length)
      expect(await figuresOf(app.db)).toEqual(addedUp(entries))
      await app.stop()
    }),
    { numRuns: 6 },
  )
})

test('what older versions did not count is filled in once, even if interrupted', async () => {
  const [calls = []] = fc.sample(fc.array(made, { minLength: 450, maxLength: 450 }), { numRuns: 1, seed: 5 })
  const { app, root } = await settled(calls)
  const [entries, figures] = [await exported(root), await figuresOf(app.db)]
  const timed = await app.db.selectFrom('logs').selectAll().where('type', 'in', [2, 6]).execute()
  await latencyRepository(app.db).add(latencyRows(timed.map((row) => ({ ...row, outcome: row.outcome || 'success' }))))
  const allLatencies = () =>
    app.db
      .selectFrom('latency_days')
      .selectAll()
      .orderBy('dimension')
      .orderBy('user_id')
      .orderBy('day')
      .orderBy('model_name')
      .orderBy('channel')
      .execute()
  const latencies = await allLatencies()

  // As an older version leaves it.
  await app.db.updateTable('logs').set({ outcome: '' }).execute()
  await app.db.deleteFrom('latency_days').execute()
  for (const table of Object.keys(TABLES))
    for (const column of FIGURE_COLUMNS.slice(4))
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = 0`.execute(app.db)
  await app.db.updateTable('meta').set({ value: '0' }).where('key', '=', 'outcomes filled up to').execute()

  // A node that dies before the commit, and two that work at the same time.
  const failing = new Error('died')
  await app.db
    .transaction()
    .execute(async (tx) => {
      await tx.updateTable('logs').set({ outcome: 'success' }).execute()
      throw failing
    })
    .catch((error) => expect(error).toBe(failing))
  expect((await root.get(`/api/analytics/?start=${START}&end=${START + 86_400}`)).data.filling).toBe(true)
  expect(await historyRepository(app.db).fillSome()).toBe(true)
  const [one, other] = [historyRepository(app.db), historyRepository(app.db)]
  const fill = async (repository: typeof one) => {
    while (await repository.fillSome());
  }
  await Promise.all([fill(one), fill(other)])

  expect(await exported(root)).toEqual(entries)
  expect(await figuresOf(app.db)).toEqual(figures)
  expect(await allLatencies()).toEqual(latencies)
  expect((await root.get(`/api/analytics/?start=${START}&end=${START + 86_400}`)).data.filling).toBe(false)
  // After the mark is reset, every row is already classified.
  await app.db.updateTable('meta').set({ value: '0' }).where('key', '=', 'outcomes filled up to').execute()
  await fill(one)
  expect(await figuresOf(app.db)).toEqual(figures)
})
