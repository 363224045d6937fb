import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseMasterKey } from '../common/master-key-text.ts'

/** A missing or wrong key. Its code makes the command line show the message without a stack. */
export class MasterKeyError extends Error {
  readonly code = 'MASTER_KEY'
}

/**
 * The keys that encrypt secrets at rest: from the environment (comma separated, the first one encrypts), else from a file in the
 * data folder that only its owner can read, created at the first start. The file protects copies of the database, not a stolen
 * disk. `neededKeyId` is the key of an existing database: no other is created beside it.
 */
export const loadMasterKeys = (
  dataDir: string,
  fromEnvironment: readonly Uint8Array[],
  neededKeyId?: string,
): readonly Uint8Array[] => {
  if (fromEnvironment.length > 0) return fromEnvironment
  const path = join(dataDir, 'master.key')
  if (!existsSync(path) && neededKeyId !== undefined) {
    throw new MasterKeyError(
      `The database was sealed with the master key ${neededKeyId}, and ${path} is not there. Put it back, or set MASTER_KEY`,
    )
  }
  if (!existsSync(path)) writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(path, 0o600)
  const key = parseMasterKey(readFileSync(path, 'utf8').trim())
  if (key === undefined) throw new MasterKeyError(`${path} does not hold a master key (32 bytes in base64 or hex)`)
  return [key]
}
