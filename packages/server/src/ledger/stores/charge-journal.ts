import { createJournalFile, type JournalFile } from './journal-file.ts'

/**
 * Charges that are not in the tables yet, or not on disk there. Two files take turns: charges are appended to one while the tables are
 * synced and the other is cleared. After a kill `Journal.replay` settles what they hold.
 */
export const createChargeJournal = (folder: string, syncTables: () => Promise<void>) => {
  let opening: Promise<void> | undefined
  let files: { active: JournalFile; spare: JournalFile } | undefined
  let clearing: Promise<void> | undefined
  /** The tables may not be on disk: nothing more is promised. */
  let failure: unknown

  const open = async () => {
    const active = await createJournalFile(folder)
    const spare = await createJournalFile(folder).catch(async (error) => {
      await active.remove()
      throw error
    })
    files = { active, spare }
  }

  return {
    /** Resolves when the lines are on disk. */
    async append(lines: string) {
      if (failure !== undefined) throw failure
      if (files === undefined) {
        opening ??= open().finally(() => {
          opening = undefined
        })
        await opening
      }
      const used = files
      try {
        await used?.active.append(lines)
      } catch (error) {
        if (files === used && used?.active.isBroken()) {
          files = undefined
          await Promise.all([used.active.leave(), used.spare.leave()])
        }
        throw error
      }
    },

    /** Of the file that is appended to, in bytes. */
    size: () => files?.active.size() ?? 0,

    /** All appended charges are in the tables. */
    clear() {
      if (files === undefined || clearing !== undefined) return
      const { active: full, spare } = files
      files = { active: spare, spare: full }
      clearing = syncTables()
        .then(full.clear)
        .catch((error) => {
          failure = error
        })
        .finally(() => {
          clearing = undefined
        })
    },

    /** The same, and nothing follows. */
    async close() {
      await clearing
      if (files === undefined) return
      await syncTables()
      await Promise.all([files.active.remove(), files.spare.remove()])
    },
  }
}
