/** One request to stop may arrive more than once: from the terminal, from npm, from a parent, or for the whole group. */
const SAME_MS = 1000

interface Handlers {
  /** The first signal, or message, to stop. */
  stop(reason: string): void
  /** A later signal means: now. */
  stopNow(): void
}

/** Listens for signals. The returned function starts the stop like the first signal, and does nothing after that. */
export const onStopSignals = (signals: readonly string[], { stop, stopNow }: Handlers) => {
  let stoppingAt: number | undefined
  const begin = (reason: string) => {
    if (stoppingAt !== undefined) return
    stoppingAt = performance.now()
    stop(reason)
  }
  for (const signal of signals) {
    process.on(signal, () => {
      if (stoppingAt === undefined) begin(signal)
      else if (performance.now() - stoppingAt >= SAME_MS) stopNow()
    })
  }
  return begin
}
