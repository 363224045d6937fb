import { REQUEST_ID } from '@tollgate/contract'
import type { Clock } from './clock.ts'

/** Contains the time of the request, so that its log entry can be found by the id. */
export const createRequestId = (clock: Clock) => Bun.randomUUIDv7('hex', clock.now())

/** Seconds; undefined for anything else. */
export function timeOfRequestId(requestId: string): number | undefined {
  const [, high, low] = REQUEST_ID.exec(requestId) ?? []
  return high === undefined ? undefined : Math.floor(Number.parseInt(`${high}${low}`, 16) / 1000)
}
