import { NEVER_EXPIRES, TokenStatus } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import type { Db, Tx } from '../database/client.ts'
import { setTokenLimit } from '../ledger/token-limit.ts'
import { lookupHash } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import { cleanSubnets } from './subnets.ts'
import { tokensRepository } from './tokens-repository.ts'
import { contextOf } from './tokens-service.ts'

/** A key as another gateway kept it. */
export interface ImportedKey {
  userId: number
  /** Without `sk-`. */
  key: string
  name: string
  isEnabled: boolean
  createdTime: number
  accessedTime: number
  expiredTime: number
  remainQuota: number
  isUnlimited: boolean
  models: readonly string[]
  subnet: string
}

/** Keys of another gateway, with which their owners go on calling. */
export const createKeyImport = async (db: Db, vault: Vault) => {
  const known = new Map((await tokensRepository(db).lookups()).map(({ id, key_hash }) => [key_hash, id]))
  return {
    ids: [...known.values()],
    has: (key: string) => known.has(lookupHash(key)),

    /** Returns what is different: a key whose addresses cannot be read is disabled, because it would be open to all. */
    async create(tx: Tx, id: number, imported: ImportedKey) {
      const hash = lookupHash(imported.key)
      known.set(hash, id)
      const subnet = subnetsOr(imported.subnet)
      await tokensRepository(tx).insert({
        ...{ id, user_id: imported.userId, name: imported.name, key_hash: hash },
        key_sealed: vault.seal(imported.key, contextOf(hash)),
        status: imported.isEnabled && subnet !== undefined ? TokenStatus.enabled : TokenStatus.disabled,
        ...{ created_time: imported.createdTime, accessed_time: imported.accessedTime },
        expired_time: imported.expiredTime > 0 ? imported.expiredTime : NEVER_EXPIRES,
        ...{ models: imported.models.join(','), subnet: subnet ?? '', rate_limits: '', fallback: 1, recording: '' },
        deleted_at: null,
      })
      // What calls have overdrawn is not owed again.
      const remain = Math.max(0, imported.remainQuota)
      await setTokenLimit(tx, { id, unlimited: imported.isUnlimited, remain, base: undefined })
      return { hasBadSubnet: subnet === undefined }
    },
  }
}

function subnetsOr(text: string) {
  try {
    return cleanSubnets(text)
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}
