/** Whether the promise resolved in time. One that fails in time rejects. */
export const withTimeout = async (ms: number, promise: Promise<unknown>): Promise<boolean> => {
  let timer: Timer | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
