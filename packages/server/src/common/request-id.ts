import type { Clock } from './clock.ts'

/** Begins with the time at which the request came: whoever has the id of a call finds its entry in the log by it. */
export const createRequestId = (clock: Clock) => Bun.randomUUIDv7('hex', clock.now())

/** Seconds; undefined for what is no such id. */
export function timeOfRequestId(requestId: string): number | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(requestId) ?? []
  return high === undefined ? undefined : Math.floor(Number.parseInt(`${high}${low}`, 16) / 1000)
}
