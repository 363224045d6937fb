import { withTimeout } from '../common/with-timeout.ts'
import type { Database } from '../database/client.ts'
import { takesWrites } from '../database/takes-writes.ts'
import type { Parts } from '../parts/parts.ts'
import type { Lifecycle } from './lifecycle.ts'

interface Needs {
  database: Database
  parts: Pick<Parts, 'databaseReplaced' | 'ledgerAnswers' | 'ledgerTakesWrites' | 'redisAnswers'>
  lifecycle: Lifecycle
}

/** The answer to a load balancer: 200 while the node can take calls, otherwise 503 with the reason. */
export async function readiness({ database, parts, lifecycle }: Needs, headers: Headers) {
  if (!lifecycle.takesWork()) return notReady('stopping', headers)
  // The next call would be refused, and nobody may have made one since.
  if (parts.databaseReplaced()) return notReady('the database file was replaced or removed', headers)
  // Both connections to the database: a node that would refuse calls must not report ready.
  const fault = parts.ledgerAnswers() ? await databaseFault(database) : SILENT
  if (fault !== undefined) return notReady(fault, headers)
  if (!parts.ledgerTakesWrites()) return notReady('the database refuses to write', headers)
  // Calls work without Redis, but the health check mentions it.
  return new Response(parts.redisAnswers() ? 'ready' : 'ready; Redis does not answer', { headers })
}

const SILENT = 'the database does not answer'

async function databaseFault(database: Database) {
  let isWritable = false
  const query = takesWrites(database).then((writable) => {
    isWritable = writable
  })
  const answered = await withTimeout(DATABASE_ANSWERS_MS, query).catch(() => false)
  if (!answered) return SILENT
  return isWritable ? undefined : 'the database is read-only'
}

/** A slower database counts as down, and the health check must not hang. */
const DATABASE_ANSWERS_MS = 2000

function notReady(reason: string, headers: Headers) {
  headers.set('retry-after', '1')
  return new Response(reason, { status: 503, headers })
}
