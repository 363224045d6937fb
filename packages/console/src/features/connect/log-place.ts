/** Clocks of nodes differ a little. */
const MARGIN_SEC = 2

/**
 * The log search for a call of this duration. A request id starts with the server's own time, so that this browser's clock does not
 * matter. Undefined for an id of another format.
 */
export const logPlace = (requestId: string, ms: number) => {
  const [, time] = /^([0-9a-f]{8}-[0-9a-f]{4})-7/.exec(requestId) ?? []
  if (time === undefined) return undefined
  const startedAt = Number.parseInt(time.replace('-', ''), 16)
  return {
    start: Math.floor(startedAt / 1000) - MARGIN_SEC,
    end: Math.ceil((startedAt + ms) / 1000) + MARGIN_SEC,
  }
}
