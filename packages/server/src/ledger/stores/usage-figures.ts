import type { Outcome } from '@tollgate/contract'
import type { Books, CallLog } from '../books.ts'

type Value = string | number

/** A table of sums: its key columns, and their values for a call. */
interface FigureTable {
  table: string
  key: string[]
  keyOf(log: CallLog): Value[]
  /** The summed columns. Tables without outcomes count only answered calls. */
  sums: readonly string[]
}

/** In the order of `added`. */
const CHARGES = ['request_count', 'quota', 'prompt_tokens', 'completion_tokens'] as const

export const FIGURE_COLUMNS = [
  ...CHARGES,
  'failed_count',
  'client_error_count',
  'access_count',
  'rate_limited_count',
  'upstream_error_count',
  'timeout_count',
  'canceled_count',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
] as const

const HOUR = 3600
const DAY = 86_400
const begin = (at: number, span: number) => at - (at % span)

const site = (span: number): FigureTable => ({
  table: 'site_usage',
  key: ['span', 'start', 'model_name', 'channel'],
  keyOf: (log) => [span, begin(log.created_at, span), log.model_name, log.channel],
  sums: FIGURE_COLUMNS,
})

const token = (span: number): FigureTable => ({
  table: 'token_usage',
  key: ['token_name', 'span', 'start', 'model_name', 'channel'],
  keyOf: (log) => [log.token_name, span, begin(log.created_at, span), log.model_name, log.channel],
  sums: CHARGES,
})

const key = (span: number): FigureTable => ({
  table: 'key_usage',
  key: ['span', 'start', 'user_id', 'token_name', 'username'],
  keyOf: (log) => [span, begin(log.created_at, span), log.user_id, log.token_name, log.username],
  sums: FIGURE_COLUMNS,
})

const user = (table: string, begins: string, span: number): FigureTable => ({
  table,
  key: ['user_id', begins, 'model_name', 'token_name', 'channel', 'username'],
  keyOf: (log) => {
    const { user_id, model_name, token_name, channel, username } = log
    return [user_id, begin(log.created_at, span), model_name, token_name, channel, username]
  },
  sums: FIGURE_COLUMNS,
})

/** All tables of figures, in the order in which every node writes them. */
export const FIGURES: readonly FigureTable[] = [
  user('usage_hours', 'hour', HOUR),
  user('usage_days', 'day', DAY),
  {
    table: 'usage_models',
    key: ['user_id', 'hour', 'model_name'],
    keyOf: (log) => [log.user_id, begin(log.created_at, HOUR), log.model_name],
    sums: CHARGES,
  },
  token(HOUR),
  token(DAY),
  site(HOUR),
  site(DAY),
  key(HOUR),
  key(DAY),
]

/** The statement for a row, and the clause after its values that adds to an existing row. */
export const figureInsert = ({ table, key, sums }: FigureTable) => ({
  head: `INSERT INTO ${table} (${[...key, ...sums].join(', ')})`,
  width: key.length + sums.length,
  tail: `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sums.map((sum) => `${sum} = ${table}.${sum} + excluded.${sum}`).join(', ')}`,
})

/** What one call adds to the columns of figures. */
export interface Added {
  log: CallLog
  sums: number[]
}

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

/**
 * What a batch of calls adds to one table, a row per key: a busy batch of one model costs a few rows, not one per call. Sorted by
 * key, so that two nodes lock them in the same order.
 */
export const figureRows = (added: readonly Added[], { keyOf, sums: { length } }: FigureTable): Value[][] => {
  const rows = new Map<string, { key: Value[]; sums: number[] }>()
  for (const { log, sums } of added) {
    if (length === CHARGES.length && sums[FAILED] === 1) continue
    const key = keyOf(log)
    const name = key.join('\u0000')
    const known = rows.get(name)
    if (known === undefined) rows.set(name, { key, sums: sums.slice(0, length) })
    else
      for (let column = 0; column < length; column++)
        known.sums[column] = (known.sums[column] ?? 0) + (sums[column] ?? 0)
  }
  const sorted = rows.size < 2 ? [...rows] : [...rows].sort(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([, { key, sums }]): Value[] => [...key, ...sums])
}
