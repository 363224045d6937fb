import { RedemptionStatus } from '@tollgate/contract'
import type { Db, Tx } from '../database/client.ts'
import { lookupHash } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import { redemptionsRepository } from './redemptions-repository.ts'
import { contextOf } from './redemptions-service.ts'

/** An unused code as another gateway kept it. */
export interface ImportedCode {
  userId: number
  key: string
  name: string
  isEnabled: boolean
  quota: number
  createdTime: number
}

export const createCodeImport = async (db: Db, vault: Vault) => {
  const known = new Map((await redemptionsRepository(db).lookups()).map(({ id, key_hash }) => [key_hash, id]))
  return {
    ids: [...known.values()],
    has: (key: string) => known.has(lookupHash(key)),

    async create(tx: Tx, id: number, { userId, key, name, isEnabled, quota, createdTime }: ImportedCode) {
      const hash = lookupHash(key)
      known.set(hash, id)
      const status = isEnabled ? RedemptionStatus.unused : RedemptionStatus.disabled
      await redemptionsRepository(tx).insert([
        {
          ...{ id, user_id: userId, name, key_hash: hash, key_sealed: vault.seal(key, contextOf(hash)), status, quota },
          ...{ created_time: createdTime, redeemed_time: 0 },
        },
      ])
    },
  }
}
