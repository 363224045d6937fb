import { Database } from 'bun:sqlite'

/* A thread that makes one checkpoint for each message. Its parent ends it. */

declare const self: Worker

/** How long the ledger may have to wait for the end of a checkpoint while somebody reads. */
const BUSY_MS = 20

let file: Database | undefined

self.onmessage = ({ data: path }: MessageEvent<string>) => {
  file ??= open(path)
  // Nearly everything, while the ledger goes on writing. Then what it wrote meanwhile, for which it waits: only when all is copied does the log begin anew.
  file.run('PRAGMA wal_checkpoint(PASSIVE)')
  file.run('PRAGMA wal_checkpoint(RESTART)')
  self.postMessage('done')
}

function open(path: string) {
  const opened = new Database(path, { strict: true })
  opened.run(`PRAGMA busy_timeout = ${BUSY_MS}`)
  return opened
}
