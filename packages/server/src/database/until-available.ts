import { isDatabaseUnavailable } from './unavailable.ts'

const RETRY_MS = 250

/** How long work that a vendor has accepted waits for the database: without its id nobody would ever get the result. */
const WITHIN_MS = 30_000

/** Repeats work that an outage of the database interrupts, for half a minute. Doing it twice must be harmless. */
export const untilAvailable = async <T>(work: () => Promise<T>): Promise<T> => {
  const startedMs = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() - startedMs > WITHIN_MS) throw error
      await Bun.sleep(RETRY_MS)
    }
  }
}
