import { isDatabaseUnavailable } from './unavailable.ts'

const RETRY_MS = 250

/** Repeats work that an outage of the database interrupts, for at most this long. Doing it twice must be harmless. */
export const untilAvailable = async <T>(withinMs: number, work: () => Promise<T>): Promise<T> => {
  const startedMs = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() - startedMs > withinMs) throw error
      await Bun.sleep(RETRY_MS)
    }
  }
}
