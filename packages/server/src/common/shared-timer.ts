/**
 * Promises that come true after so many milliseconds. Whoever asks within the same tenth of that time shares one: a
 * timer for each of thousands of calls a second would cost more than what they wait for.
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
