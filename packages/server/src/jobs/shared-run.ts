import { z } from 'zod'
import type { Log } from '../common/log.ts'
import type { Db } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'
import type { Lock, TakeLock } from '../ledger/stores/locks.ts'

export type SharedRun = ReturnType<typeof createSharedRun>

const Progress = z.object({ total: z.int(), done: z.int(), failed: z.int() })
type Progress = z.infer<typeof Progress>

const NOTHING: Progress = { total: 0, done: 0, failed: 0 }

interface Work<Item> {
  /** The items, determined by the node that runs it. */
  list(): Promise<readonly Item[]>
  /** False when the item failed, which does not stop the others. */
  each(item: Item): Promise<boolean>
}

/**
 * Work that an administrator starts and one node does in the background, one run at a time across all nodes; each of them can
 * report the progress. A lock that is released with the process shows whether it runs: the run of a dead node is abandoned.
 */
export const createSharedRun = (db: Db, take: TakeLock, log: Log, name: string) => {
  const key = `run ${name}`
  let isRunningHere = false

  const save = (progress: Progress) => metaRepository(db).set(key, JSON.stringify(progress))

  const saved = async () => {
    const text = await metaRepository(db).get(key)
    return text === undefined ? NOTHING : Progress.parse(JSON.parse(text))
  }

  const doAll = async <Item>(items: readonly Item[], each: Work<Item>['each'], lock: Lock) => {
    const progress = { ...NOTHING, total: items.length }
    for (const item of items) {
      if (!(await lock.holds())) throw new Error('The lock was lost; another node may have begun')
      if (!(await each(item))) progress.failed++
      progress.done++
      await save(progress)
    }
  }

  const isRunningElsewhere = async ({ total, done }: Progress) => {
    if (done >= total) return false
    const lock = await take(key)
    await lock?.release()
    return lock === undefined
  }

  return {
    /** Starts in the background. False when it is already running. */
    async start<Item>({ list, each }: Work<Item>): Promise<boolean> {
      const lock = await take(key)
      if (lock === undefined) return false
      isRunningHere = true
      const end = async () => {
        isRunningHere = false
        await lock.release()
      }
      try {
        const items = await list()
        await save({ ...NOTHING, total: items.length })
        doAll(items, each, lock)
          .catch((error) => log.error(`The ${name} ended early`, { error }))
          .finally(end)
          .catch((error) => log.error(`The lock of the ${name} could not be released`, { error }))
        return true
      } catch (error) {
        await end()
        throw error
      }
    },

    async progress() {
      const progress = await saved()
      const running = isRunningHere || (await isRunningElsewhere(progress))
      // It may have ended since the progress was read.
      return { ...(running ? progress : await saved()), running }
    },
  }
}
