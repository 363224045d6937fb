import { retryAfter } from '@tollgate/providers'
import type { Log } from '../common/log.ts'

/** A collector's answer; throws when none could be reached. */
export type Post = (body: string) => Promise<{ status: number; headers: Pick<Headers, 'get'>; text: string }>

interface Needs {
  post: Post
  log: Log
  what: 'traces' | 'metrics'
  firstRetryMs?: number
  now?: () => number
}

const RETRIED = new Set([429, 502, 503, 504])
const TRIES_MAX = 5
const RETRY_MAX_MS = 30_000
/** One line is enough for a collector that is down for hours. */
const LOG_EVERY_MS = 60_000

/** Sends one body after the other; failed ones are retried with growing delays. */
export const createExporter = ({ post, log, what, firstRetryMs = 1000, now = Date.now }: Needs) => {
  let loggedAt = Number.NEGATIVE_INFINITY
  let wake = () => {}
  let closing = false

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      // A timer must not keep an otherwise idle process alive.
      timer.unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const warn = (reason: string) => {
    if (now() - loggedAt < LOG_EVERY_MS) return
    loggedAt = now()
    log.warn(`A collector did not take our ${what}`, { reason })
  }

  return {
    /** How many of the `count` items the collector accepted. Never throws. */
    async send(body: string, count: number): Promise<number> {
      let waitMs = firstRetryMs
      for (let tries = 1; ; tries++) {
        const answer = await post(body).catch((error: unknown) => (error instanceof Error ? error.message : 'unknown'))
        if (typeof answer !== 'string' && answer.status >= 200 && answer.status < 300)
          return count - rejectedIn(answer.text, count)
        warn(typeof answer === 'string' ? answer : `status ${answer.status}`)
        const mayRetry = typeof answer === 'string' || RETRIED.has(answer.status)
        if (!mayRetry || tries >= TRIES_MAX || closing) return 0
        const askedSec = typeof answer === 'string' ? undefined : retryAfter(answer.headers, now())
        await pause(Math.min(askedSec === undefined ? waitMs : askedSec * 1000, RETRY_MAX_MS))
        waitMs *= 2
      }
    },

    /** From now on each body has one attempt, and pending retries happen at once. */
    close() {
      closing = true
      wake()
    },
  }
}

/** A collector may accept a body and reject some items; sending those again would change nothing. */
function rejectedIn(text: string, count: number) {
  const rejected = /"rejected(?:Spans|DataPoints)"\s*:\s*"?(\d{1,9})/.exec(text)?.[1]
  return Math.min(Number(rejected ?? 0), count)
}
