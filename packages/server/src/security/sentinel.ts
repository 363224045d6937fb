import type { Db } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'
import type { Vault } from './vault.ts'

const KEY = 'sentinel'

/** A start with the wrong master key must stop here, before it writes anything that the right one could not read. */
export const sentinel = async (db: Db, vault: Vault) => {
  // Of several first starts at the same moment one leaves its seal, and all of them have to open that one.
  const stored = (await metaRepository(db).get(KEY)) ?? (await metaRepository(db).addOnce(KEY, vault.seal(KEY, KEY)))
  try {
    vault.open(stored, KEY)
  } catch {
    const [, keyId] = stored.split('.')
    throw new Error(`The database was sealed with the master key ${keyId}, but the configured one is ${vault.keyId}`)
  }
}
