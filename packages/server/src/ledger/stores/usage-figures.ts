import type { Books, CallLog } from '../books.ts'

type Value = string | number

/** A table of sums: the columns that tell its rows apart, and what they are for a call. */
interface FigureTable {
  table: string
  key: string[]
  keyOf(log: CallLog): Value[]
}

const HOUR = 3600
const DAY = 86_400
const begin = (at: number, span: number) => at - (at % span)

const site = (span: number): FigureTable => ({
  table: 'site_usage',
  key: ['span', 'start', 'model_name', 'channel'],
  keyOf: (log) => [span, begin(log.created_at, span), log.model_name, log.channel],
})

const token = (span: number): FigureTable => ({
  table: 'token_usage',
  key: ['token_name', 'span', 'start', 'model_name', 'channel'],
  keyOf: (log) => [log.token_name, span, begin(log.created_at, span), log.model_name, log.channel],
})

const user = (table: string, begins: string, span: number): FigureTable => ({
  table,
  key: ['user_id', begins, 'model_name', 'token_name', 'channel', 'username'],
  keyOf: (log) => {
    const { user_id, model_name, token_name, channel, username } = log
    return [user_id, begin(log.created_at, span), model_name, token_name, channel, username]
  },
})

/** Everything that counts calls, in the order in which every node writes it. */
export const FIGURES: readonly FigureTable[] = [
  user('usage_hours', 'hour', HOUR),
  user('usage_days', 'day', DAY),
  {
    table: 'usage_models',
    key: ['user_id', 'hour', 'model_name'],
    keyOf: (log) => [log.user_id, begin(log.created_at, HOUR), log.model_name],
  },
  token(HOUR),
  token(DAY),
  site(HOUR),
  site(DAY),
]

const SUMS = ['request_count', 'quota', 'prompt_tokens', 'completion_tokens'] as const

/** The statement for a row, and what follows its values: a row that is there already grows. */
export const figureInsert = ({ table, key }: FigureTable) => ({
  head: `INSERT INTO ${table} (${[...key, ...SUMS].join(', ')})`,
  width: key.length + SUMS.length,
  tail: `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${SUMS.map((sum) => `${sum} = ${table}.${sum} + excluded.${sum}`).join(', ')}`,
})

/**
 * What a batch of calls adds to one table, a row for each key: a busy batch of one model costs a few rows, not one for
 * each call. They are in the order of their keys, so that two nodes lock them in the same order.
 */
export const figureRows = (counted: Books['counted'], { keyOf }: FigureTable): Value[][] => {
  const rows = new Map<string, { key: Value[]; sums: [number, number, number, number] }>()
  for (const { log, calls } of counted) {
    const key = keyOf(log)
    const name = key.join('\u0000')
    const known = rows.get(name)
    if (known === undefined) {
      rows.set(name, { key, sums: [calls, log.quota, log.prompt_tokens, log.completion_tokens] })
      continue
    }
    known.sums[0] += calls
    known.sums[1] += log.quota
    known.sums[2] += log.prompt_tokens
    known.sums[3] += log.completion_tokens
  }
  const added = rows.size < 2 ? [...rows] : [...rows].sort(([one], [other]) => (one < other ? -1 : 1))
  return added.map(([, { key, sums }]): Value[] => [...key, ...sums])
}
