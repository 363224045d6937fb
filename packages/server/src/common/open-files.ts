import { readdir, readFile } from 'node:fs/promises'
import { isOutOfFiles } from './spare-files.ts'

export type OpenFiles = ReturnType<typeof createOpenFiles>

/** How many more files and sockets the process may open; undefined when the system does not report it. */
type SpareFiles = () => Promise<{ spare: number; limit: number } | undefined>

const CHECK_INTERVAL_MS = 250
/** The client's connection and the vendor's. */
const PER_CALL = 2
/** Reserved for the database, its journal and name look-ups. */
const RESERVED_SHARE = 0.1
const RESERVED_MIN = 32

/**
 * Whether there are file descriptors left for another call. A call without them would fail halfway and affect others. The
 * system is queried in the background; calls started since are counted here.
 */
export const createOpenFiles = (spareFiles: SpareFiles = ofThisProcess) => {
  let room = Number.POSITIVE_INFINITY
  let checkedAtMs = performance.now()
  let isKnown = true

  const check = async () => {
    const found = await spareFiles().catch(noneLeft)
    isKnown = found !== undefined
    room = found === undefined ? Number.POSITIVE_INFINITY : found.spare - reservedOf(found.limit)
  }

  void check()
  return {
    /** True when another call may start; it is counted. */
    take() {
      const nowMs = performance.now()
      if (isKnown && nowMs - checkedAtMs > CHECK_INTERVAL_MS) {
        checkedAtMs = nowMs
        void check()
      }
      if (room < PER_CALL) return false
      room -= PER_CALL
      return true
    },
  }
}

/** Looking takes a file descriptor too: without one there are none, and it is known. */
const noneLeft = (error: unknown) => (isOutOfFiles(error) ? { spare: 0, limit: 0 } : undefined)

const reservedOf = (limit: number) => Math.max(RESERVED_MIN, limit * RESERVED_SHARE)

async function ofThisProcess() {
  const limits = await readFile('/proc/self/limits', 'utf8')
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN)
  if (Number.isNaN(limit)) return undefined
  return { limit, spare: limit - (await readdir('/proc/self/fd')).length }
}
