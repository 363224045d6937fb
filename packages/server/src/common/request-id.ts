import { REQUEST_ID } from '@tollgate/contract'
import type { Clock } from './clock.ts'

/** Begins with the time at which the request came: whoever has the id of a call finds its entry in the log by it. */
export const createRequestId = (clock: Clock) => Bun.randomUUIDv7('hex', clock.now())

/** Seconds; undefined for what is no such id. */
export function timeOfRequestId(requestId: string): number | undefined {
  const [, high, low] = REQUEST_ID.exec(requestId) ?? []
  return high === undefined ? undefined : Math.floor(Number.parseInt(`${high}${low}`, 16) / 1000)
}
