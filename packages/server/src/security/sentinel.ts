import type { Db } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'
import { MasterKeyError } from './master-key.ts'
import type { Vault } from './vault.ts'

const KEY = 'sentinel'

/** A start with the wrong master key must stop here, before it writes anything that the right one could not read. */
export const sentinel = async (db: Db, vault: Vault) => {
  // Of several concurrent first starts one stores its value, and all of them must be able to decrypt it.
  const stored = (await metaRepository(db).get(KEY)) ?? (await metaRepository(db).addOnce(KEY, vault.seal(KEY, KEY)))
  try {
    vault.open(stored, KEY)
  } catch {
    const sealedWith = keyIdIn(stored)
    throw new MasterKeyError(
      `The database was sealed with the master key ${sealedWith}, but the configured one is ${vault.keyId}`,
    )
  }
}

/** The key that the database needs; undefined before its first start. */
export const sealingKeyId = async (db: Db) => {
  const stored = await metaRepository(db).get(KEY)
  return stored === undefined ? undefined : keyIdIn(stored)
}

const keyIdIn = (sealed: string) => sealed.split('.')[1] ?? ''
