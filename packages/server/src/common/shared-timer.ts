/**
 * Promises that resolve after a delay. Callers within the same tenth of it share one: a timer for each of thousands of calls
 * per second would cost more than what they wait for.
 */
export const createSharedTimer = (ms: number) => {
  let pending: Promise<void> | undefined
  return (): Promise<void> => {
    pending ??= new Promise((resolve) => {
      const forget = setTimeout(() => {
        pending = undefined
      }, ms / 10)
      forget.unref()
      setTimeout(resolve, ms * 1.1).unref()
    })
    return pending
  }
}
