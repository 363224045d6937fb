interface Waiting {
  dueAt: number
  due(): unknown
}

interface Times {
  afterMs: number
  checkMs: number
  /** Monotonic milliseconds. */
  now(): number
}

/** Resolves with true after a while, once it may, or with false when the promise is settled. */
export type Lateness = (promise: Promise<unknown>, mayEnd?: () => boolean) => Promise<boolean>

/**
 * Notices promises that are not settled in time. One timer checks all of them: a race of each with a shared timer would keep everything
 * that thousands of calls have ended with in memory until that timer ends.
 */
export const createLateness = ({ afterMs, checkMs, now }: Times): Lateness => {
  const waiting = new Set<Waiting>()
  let timer: Timer | undefined
  const check = () => {
    const at = now()
    for (const one of waiting) if (at >= one.dueAt) one.due()
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (promise, mayEnd = () => true) =>
    new Promise<boolean>((resolve) => {
      const one = { dueAt: now() + afterMs, due: () => mayEnd() && end(true) }
      const end = (isLate: boolean) => {
        waiting.delete(one)
        resolve(isLate)
      }
      waiting.add(one)
      timer ??= setInterval(check, checkMs).unref()
      const settled = () => end(false)
      promise.then(settled, settled)
    })
}
