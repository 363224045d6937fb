import { type LogFilter, LogType } from '@tollgate/contract'
import type { Database } from '../../packages/server/src/database/client.ts'
import { logsRepository } from '../../packages/server/src/logs/logs-repository.ts'
import { fillRequests, requestIdOf } from '../../packages/server/src/testing/request-rows.ts'
import { median, p95 } from './quantiles.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 5_000_000)
const LOOKUPS = 200

/** How long the entries of one request take to find, among all those of 90 days. */
export const measureRequests = async (database: Database, now: number, databaseSeconds: () => number) => {
  const started = performance.now()
  const made = { rows: ROWS, until: now }
  await fillRequests(database, made)
  console.log(`${database.engine}: ${ROWS} log rows made in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const repository = logsRepository(database.db)
  const times: number[] = []
  const spent: number[] = []
  let databaseStart = 0
  for (let lookup = 0; lookup <= LOOKUPS; lookup++) {
    const number = 1 + Math.floor((lookup / (LOOKUPS + 1)) * ROWS)
    const request_id = requestIdOf(number, made)
    // The first one compiles the statements.
    if (lookup === 1) databaseStart = databaseSeconds()
    const used = process.cpuUsage()
    const at = performance.now()
    const { total } = await repository.page({ scope: 'everyone', filter: { ...ANY, request_id } }, PAGE, 'en')
    const { user, system } = process.cpuUsage(used)
    if (lookup > 0) times.push(performance.now() - at)
    if (lookup > 0) spent.push((user + system) / 1000)
    if (total !== 1) throw new Error(`Request ${request_id} has ${total} entries`)
  }
  const inDatabase = ((databaseSeconds() - databaseStart) * 1000) / LOOKUPS
  const slow = p95(spent) + inDatabase
  console.log(
    `${database.engine}, a request among ${ROWS} entries: processor p95 ${slow.toFixed(1)} ms, median ${(median(spent) + inDatabase).toFixed(1)} ms; by the clock p95 ${p95(times).toFixed(1)} ms, median ${median(times).toFixed(1)} ms`,
  )
  return slow
}

const PAGE = { p: 0, page_size: 10 }
const ANY: LogFilter = {
  ...{ type: LogType.all, username: '', group: '', token_name: '', model_name: '', session: '', request_id: '' },
  ...{ start_timestamp: 0, end_timestamp: 0, outcome: '', min_quota: 0, min_elapsed: 0, stream: '' },
  ...{ no_model: '', offered: '', no_token: '', no_group: '', channel: 0, user_id: 0 },
}
