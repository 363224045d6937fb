import { Database } from 'bun:sqlite'
import { candidatesText, detailText, tierText } from '../../packages/server/src/logs/call-detail.ts'

const CHANNELS = [
  { id: 3, name: 'openai-main', weight: 1, priority: 0 },
  { id: 4, name: 'azure-east', weight: 1, priority: 0 },
]

const DAYS = 180
const DAY = 86_400

/** The detail of a typical call, as the product stores it. */
const DETAIL = detailText(
  {
    usage: { input: 1200, cachedInput: 300, output: 300 },
    price: {
      source: 'library',
      group: 'default',
      factor: '1',
      rates: { input: '1.25', cachedInput: '0.125', output: '5' },
    },
    source: 'reported',
    attempts: [{ channel: 3, name: 'openai-main', status: 200, ms: 812 }],
  },
  candidatesText([{ text: tierText('default', CHANNELS) }], { excluded: [] }),
)

/**
 * Fills the log of a stopped gateway with half a year of calls and their figures: 500 users, of whom the first makes an eighth of
 * all calls; 40 models of very different use; 20 channels, three for each model; keys called `default` and others. One call in
 * twenty failed; a few entries are not calls. Returns how many bytes an entry and its indexes take.
 */
export const fillLogs = (database: string, rows: number) => {
  const file = new Database(database)
  const indexes = file
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = 'logs'",
    )
    .all()
  // Only now: before it has read the file, SQLite does not know that there is a journal to disable.
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -500000', 'temp_store = MEMORY']) {
    file.run(`PRAGMA ${pragma}`)
  }
  // Rebuilt once at the end, which takes a tenth of the time.
  for (const { name } of indexes) file.run(`DROP INDEX ${name}`)
  const before = sizeOf(file)
  file.run(logsSql(rows))
  for (const { sql } of indexes) file.run(sql)
  const bytes = (sizeOf(file) - before) / rows
  file.transaction(() => {
    for (const sql of [...FIGURES_SQL, ...SPANS_SQL]) file.run(sql)
  })()
  file.run('PRAGMA journal_mode = WAL')
  file.close()
  return bytes
}

function sizeOf(file: Database) {
  const pragma = (name: string) => Number(Object.values(file.query<object, []>(`PRAGMA ${name}`).get() ?? {})[0])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}

function logsSql(rows: number) {
  const start = Math.floor(Date.now() / 1000) - DAYS * DAY
  return `INSERT INTO logs (user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens,
      completion_tokens, quota, content, content_en, request_id, elapsed_time, first_byte_time, is_stream, detail)
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows}),
    dice AS MATERIALIZED (SELECT n, abs(random() % 1000000) / 1000000.0 AS a, abs(random() % 1000000) / 1000000.0 AS b,
      abs(random() % 1000) AS c, abs(random() % 1000) AS t, abs(random() % 2000) AS k FROM numbers),
    calls AS (SELECT n, CAST(500 * a * a * a AS INTEGER) + 1 AS u, CAST(40 * b * b * sqrt(b) AS INTEGER) AS m, c, t, k,
      CASE WHEN t < 945 THEN 2 WHEN t < 995 THEN 6 WHEN t < 997 THEN 5 WHEN k > 600 THEN 4 WHEN k > 200 THEN 3 ELSE 1 END
      AS type FROM dice)
    SELECT u, ${start} + n * ${DAYS * DAY} / ${rows}, type, (m * 7 + c % 3) % 20 + 1, 'user-' || u,
      CASE WHEN c < 600 THEN 'default' ELSE 'key-' || u || '-' || (c % 3) END, 'model-' || m, k + 10, k / 4,
      CASE WHEN type IN (1, 2, 3) THEN k * 3 + 7 ELSE 0 END, '倍率：1.25 × 1 × 4', 'Ratio: 1.25 × 1 × 4',
      printf('01a1e72c-29d6-73b7-88e6-%012x', n), 500 + k, 100 + c, c % 2, '${DETAIL}' FROM calls`
}

const CHARGES = 'request_count, quota, prompt_tokens, completion_tokens'
const SUMS = 'sum(request_count), sum(quota), sum(prompt_tokens), sum(completion_tokens)'

const FIGURES_SQL = [
  `INSERT INTO usage_hours (user_id, hour, username, token_name, model_name, channel, ${CHARGES}) SELECT user_id, created_at - created_at % 3600, username, token_name, model_name, channel,
    count(*), sum(quota), sum(prompt_tokens), sum(completion_tokens) FROM logs WHERE type = 2 GROUP BY 1, 2, 5, 4, 6, 3`,
  `INSERT INTO usage_days (user_id, day, username, token_name, model_name, channel, ${CHARGES}) SELECT user_id, hour - hour % ${DAY}, username, token_name, model_name, channel, ${SUMS}
    FROM usage_hours GROUP BY 1, 2, 5, 4, 6, 3`,
  `INSERT INTO usage_models SELECT user_id, hour, model_name, ${SUMS} FROM usage_hours GROUP BY 1, 2, 3`,
  ...[3600, DAY].flatMap((span) => [
    `INSERT INTO total_usage (span, start, ${CHARGES}) SELECT ${span}, hour - hour % ${span}, ${SUMS} FROM usage_hours GROUP BY 2`,
    `INSERT INTO site_usage (span, start, model_name, channel, ${CHARGES}) SELECT ${span}, hour - hour % ${span}, model_name, channel, ${SUMS}
      FROM usage_hours GROUP BY 2, 3, 4`,
    `INSERT INTO token_usage SELECT token_name, ${span}, hour - hour % ${span}, model_name, channel, ${SUMS}
      FROM usage_hours GROUP BY 1, 3, 4, 5`,
    `INSERT INTO key_usage (span, start, user_id, token_name, username, ${CHARGES}) SELECT ${span},
      hour - hour % ${span}, user_id, token_name, username, ${SUMS} FROM usage_hours GROUP BY 2, 3, 4, 5`,
  ]),
]

/** What the log spans job would have recorded. */
const SPANS_SQL = [
  ...['model_name', 'token_name', 'channel'].map(
    (column) => `INSERT INTO log_spans SELECT DISTINCT '${column}', CAST(${column} AS text),
      created_at - created_at % 3600 FROM logs`,
  ),
  'INSERT INTO log_users SELECT DISTINCT username, user_id FROM logs',
  `INSERT INTO meta (key, value) SELECT 'log spans', json_object('done', max(id), 'seen', max(id)) FROM logs`,
]
