import type { Outcome } from '@tollgate/contract'
import type { Books, CallLog } from '../books.ts'

type Value = string | number

/** In the order of `addedBy`. */
const CHARGES = ['request_count', 'quota', 'prompt_tokens', 'completion_tokens'] as const

/** Calls by how they ended; the others were answered. */
export const OUTCOME_COLUMNS = [
  'client_error_count',
  'access_count',
  'rate_limited_count',
  'upstream_error_count',
  'timeout_count',
  'canceled_count',
] as const

export const FIGURE_COLUMNS = [
  ...CHARGES,
  'failed_count',
  ...OUTCOME_COLUMNS,
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
] as const

const HOUR = 3600
const DAY = 86_400

/** What distinguishes rows of `pending_usage`. */
const NAMES = ['user_id', 'hour', 'model_name', 'token_name', 'channel', 'username'] as const
type Name = (typeof NAMES)[number]

export const PENDING_COLUMNS = [...NAMES, ...FIGURE_COLUMNS] as const

/** A table of sums: its key columns, each as an expression over `pending_usage`. */
interface FigureTable {
  table: string
  key: Readonly<Record<string, string>>
  /** The summed columns. Tables without outcomes count only answered calls. */
  sums: readonly string[]
}

const named = (...names: Name[]) => Object.fromEntries(names.map((name) => [name, name]))
const startOf = (span: number) => (span === HOUR ? 'hour' : `hour - hour % ${span}`)
const bySpan = (span: number) => ({ span: String(span), start: startOf(span) })

/** All tables of figures, in the order in which every node writes them. */
const FIGURES: readonly FigureTable[] = [
  { table: 'usage_hours', key: named(...NAMES), sums: FIGURE_COLUMNS },
  {
    table: 'usage_days',
    key: { ...named('user_id'), day: startOf(DAY), ...named('model_name', 'token_name', 'channel', 'username') },
    sums: FIGURE_COLUMNS,
  },
  { table: 'usage_models', key: named('user_id', 'hour', 'model_name'), sums: CHARGES },
  ...[HOUR, DAY].flatMap((span): FigureTable[] => [
    {
      table: 'token_usage',
      key: { ...named('token_name'), ...bySpan(span), ...named('model_name', 'channel') },
      sums: CHARGES,
    },
    { table: 'total_usage', key: bySpan(span), sums: FIGURE_COLUMNS },
    { table: 'site_usage', key: { ...bySpan(span), ...named('model_name', 'channel') }, sums: FIGURE_COLUMNS },
    {
      table: 'key_usage',
      key: { ...bySpan(span), ...named('user_id', 'token_name', 'username') },
      sums: FIGURE_COLUMNS,
    },
  ]),
]

/** A row for each set of names. */
export const sumsByName = (source: string, condition: string) =>
  `SELECT ${NAMES.join(', ')}, ${FIGURE_COLUMNS.map((column) => `${asInteger(column)} AS ${column}`).join(', ')}
    FROM ${source} WHERE ${condition} GROUP BY ${NAMES.join(', ')}`

/** PostgreSQL sums integers up to a decimal number. */
const asInteger = (column: string) => `CAST(sum(${column}) AS bigint)`

/** For each table, the statement that adds the rows of `source`. Sorted by key: two nodes lock rows in the same order. */
export const addToFigures = (source: string, condition: string): string[] =>
  FIGURES.map(({ table, key, sums }) => {
    const columns = Object.keys(key)
    const charged = sums === CHARGES ? ` AND (${CHARGES.map((sum) => `${sum} <> 0`).join(' OR ')})` : ''
    const order = columns.map((_, index) => index + 1).join(', ')
    return `INSERT INTO ${table} (${[...columns, ...sums].join(', ')})
      SELECT ${[...Object.values(key), ...sums.map((sum) => `sum(${sum})`)].join(', ')} FROM ${source}
      WHERE ${condition}${charged} GROUP BY ${order} ORDER BY ${order}
      ON CONFLICT (${columns.join(', ')})
      DO UPDATE SET ${sums.map((sum) => `${sum} = ${table}.${sum} + excluded.${sum}`).join(', ')}`
  })

const FAILED = FIGURE_COLUMNS.indexOf('failed_count')
const OUTCOME: Record<Outcome, number> = {
  success: -1,
  client_error: FIGURE_COLUMNS.indexOf('client_error_count'),
  access: FIGURE_COLUMNS.indexOf('access_count'),
  rate_limited: FIGURE_COLUMNS.indexOf('rate_limited_count'),
  upstream_error: FIGURE_COLUMNS.indexOf('upstream_error_count'),
  timeout: FIGURE_COLUMNS.indexOf('timeout_count'),
  canceled: FIGURE_COLUMNS.indexOf('canceled_count'),
}

/** What one call adds, in the order of `FIGURE_COLUMNS`. */
export interface Added {
  log: CallLog
  sums: number[]
}

/** For a failed call only the outcome is counted. */
export const addedBy = ({ log, as }: Books['counted'][number]): Added => {
  const counts = as !== 'failed'
  const sums = [
    as === 'answered' ? 1 : 0,
    counts ? log.quota : 0,
    counts ? log.prompt_tokens : 0,
    counts ? log.completion_tokens : 0,
    ...NO_OUTCOMES,
    counts ? log.cached_tokens : 0,
    counts ? log.cache_write_tokens : 0,
    counts ? log.reasoning_tokens : 0,
  ]
  if (!counts) sums[FAILED] = 1
  const outcome = OUTCOME[log.outcome]
  if (outcome !== -1 && as !== 'rest') sums[outcome] = 1
  return { log, sums }
}

const NO_OUTCOMES = [0, 0, 0, 0, 0, 0, 0]

/** What a batch of calls adds, a row for each hour and set of names: a busy batch of one key and model costs a row, not one per call. */
export const pendingRows = (added: readonly Added[]): Value[][] => {
  const rows = new Map<string, { names: Value[]; sums: number[] }>()
  for (const { log, sums } of added) {
    const names = namesOf(log)
    const id = names.join('\u0000')
    const known = rows.get(id)
    if (known === undefined) rows.set(id, { names, sums })
    else for (const [column, sum] of sums.entries()) known.sums[column] = (known.sums[column] ?? 0) + sum
  }
  return [...rows.values()].map(({ names, sums }) => [...names, ...sums])
}

/** In the order of `NAMES`. */
function namesOf({ user_id, created_at, model_name, token_name, channel, username }: CallLog): Value[] {
  return [user_id, created_at - (created_at % HOUR), model_name, token_name, channel, username]
}
