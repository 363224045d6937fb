import { canStartThread } from '../../common/spare-files.ts'
import type { Command } from '../commands.ts'

/** A batch changes about ten pages, and a large one two or three for each command: some thousand pages are copied at a time. */
const BATCHES_MAX = 64
const COMMANDS_MAX = 1000

/**
 * Copies what was committed from SQLite's write-ahead log into the database file, in a thread of its own: it takes thousands of writes
 * and two syncs of the disk, during which no stream of this process would go on. If the thread fails or cannot be started, SQLite does it at a commit.
 */
export const createCheckpoints = (path: string) => {
  let worker: Worker | undefined
  let isRunning = false
  let batches = 0
  let commands = 0

  const end = () => {
    worker?.terminate()
    worker = undefined
    isRunning = false
  }
  const start = () => {
    // Without an extension, because it is `.ts` here and `.js` in the build.
    const started = new Worker(new URL('./checkpoint-worker', import.meta.url).href)
    started.onmessage = () => {
      isRunning = false
    }
    started.onerror = end
    return started
  }

  return {
    /** After every commit. */
    committed(batch: readonly Command[]) {
      batches++
      commands += batch.length
      if (isRunning || (batches < BATCHES_MAX && commands < COMMANDS_MAX)) return
      batches = 0
      commands = 0
      if (worker === undefined && !canStartThread()) return
      isRunning = true
      worker ??= start()
      worker.postMessage(path)
    },
    close: end,
  }
}
