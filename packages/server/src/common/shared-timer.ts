/**
 * Promises that resolve after a delay. Callers within the same tenth of it share one: a timer for each of thousands of calls
 * per second would cost more than what they wait for.
 */
export const createSharedTimer = (ms: number) => {
  let ringing: Promise<void> | undefined
  return (): Promise<void> => {
    ringing ??= new Promise((resolve) => {
      const forget = setTimeout(() => {
        ringing = undefined
      }, ms / 10)
      forget.unref()
      setTimeout(resolve, ms * 1.1).unref()
    })
    return ringing
  }
}
