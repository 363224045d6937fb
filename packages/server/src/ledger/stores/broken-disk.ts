import type { LedgerStore } from './store.ts'

/**
 * After a failed write or sync the state of the file on disk is unknown: continuing could confirm what a restart will not
 * remember. Nothing is answered any more; the next process reads what is there.
 */
export const withoutBrokenDisk = (store: LedgerStore, giveUp: (error: Error) => void): LedgerStore => ({
  async run(...batch) {
    try {
      return await store.run(...batch)
    } catch (error) {
      if (!(error instanceof Error) || !isBroken(error)) throw error
      giveUp(error)
      return new Promise(() => {})
    }
  },
  close: () => store.close(),
})

function isBroken(error: Error) {
  const code = 'code' in error ? String(error.code) : ''
  return /^(SQLITE_(IOERR|CORRUPT|NOTADB)|EIO$)/.test(code)
}
