import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

const OWNER_ONLY = 0o600

/**
 * Makes the database unreadable for other users, whatever the umask and the folder allow. SQLite gives the files beside it
 * (`-wal`, `-shm`) the same mode; those of an earlier run are changed here.
 */
export const keepPrivate = (path: string) => {
  if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) restrict(file)
}

function restrict(file: string) {
  if ((statSync(file).mode & 0o777) === OWNER_ONLY) return
  try {
    chmodSync(file, OWNER_ONLY)
  } catch (error) {
    // A file of another user that we may write on purpose; its mode is not ours to change.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  }
}
