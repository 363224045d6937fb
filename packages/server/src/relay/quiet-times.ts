import { type Clock, monotonicMs } from '../common/clock.ts'

/** Proxies close connections that are silent for half a minute. */
export const QUIET_MS = 15_000
const CHECK_MS = 1000

interface Waiting {
  dueAt: number
  due(): unknown
}

/** Resolves with true after a while, once it may, or with false when the answer is there. */
export type Quiet = (answering: Promise<unknown>, mayEnd?: () => boolean) => Promise<boolean>

/** Notices that a caller has heard nothing for a while. One timer checks all of them. */
export const createQuietTimes = (clock: Clock): Quiet => {
  const waiting = new Set<Waiting>()
  const timer = setInterval(() => {
    const now = monotonicMs(clock)
    for (const one of waiting) if (now >= one.dueAt) one.due()
  }, CHECK_MS)
  timer.unref()

  return (answering, mayEnd = () => true) =>
    new Promise<boolean>((resolve) => {
      const one = { dueAt: monotonicMs(clock) + QUIET_MS, due: () => mayEnd() && end(true) }
      const end = (isQuiet: boolean) => {
        waiting.delete(one)
        resolve(isQuiet)
      }
      waiting.add(one)
      const answered = () => end(false)
      answering.then(answered, answered)
    })
}
