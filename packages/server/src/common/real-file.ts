import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Where a file is or will be, whatever links lead to it. SQLite keeps its other files there and not beside the link, and processes that
 * use one database have to find each other's locks.
 */
export const realFile = (path: string): string => {
  try {
    return realpathSync(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    const target = targetOf(path)
    return target === undefined ? path : realFile(resolve(dirname(path), target))
  }
}

/** Undefined unless it is a link. */
function targetOf(path: string) {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
