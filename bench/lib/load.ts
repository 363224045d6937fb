/** The results of a run of many calls. */
export interface Run {
  calls: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** Calls until the JIT compiler has settled: before, its threads take up to a third of the processor time of a call. */
export const WARM_UP = 24_000

/** Sends `calls` requests, `concurrency` at a time. */
export const load = async (calls: number, concurrency: number, send: () => Promise<void>): Promise<Run> => {
  const times: number[] = []
  let started = 0
  const startedAt = performance.now()
  const worker = async () => {
    while (started++ < calls) {
      const at = performance.now()
      await send()
      times.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { calls, perSecond: calls / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}
