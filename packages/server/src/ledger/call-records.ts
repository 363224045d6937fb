import type { Books, CallLog } from './books.ts'
import type { SettleCommand } from './commands.ts'

/** One request with a row for each of its models: the first row excludes the amounts of the others. */
export function recordAll(books: Books, command: SettleCommand, quota: number, calls: 0 | 1 = 1) {
  const { moreLogs = NO_LOGS } = command
  const further = moreLogs.reduce((sum, log) => sum + log.quota, 0)
  record(books, command, quota - further, calls)
  for (const log of moreLogs) record(books, { ...command, log }, log.quota, 0)
}

const NO_LOGS: readonly CallLog[] = []

/** The log contains what was posted, so that its sums equal the ledger's. */
export function record(
  books: Books,
  { log, keepLog, done }: Pick<SettleCommand, 'log' | 'keepLog' | 'done'>,
  quota: number,
  calls: 0 | 1 = 1,
) {
  if (log === undefined) return
  const row = log.quota === quota ? log : { ...log, quota }
  if (keepLog) books.logs.push(row)
  books.counted.push({ log: row, as: calls === 0 ? 'rest' : done ? 'answered' : 'failed' })
}
