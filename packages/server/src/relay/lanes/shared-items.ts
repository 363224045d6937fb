import { z } from 'zod'
import type { Redis } from '../../common/redis.ts'
import { lookupHash } from '../../security/random.ts'
import type { Vault } from '../../security/vault.ts'
import type { SharedItems } from './recent-items.ts'

const Kept = z.object({ text: z.string(), until: z.number() })

/** In Redis, with an expiry and encrypted, so that it reveals nothing: what was said, by whom, and when. */
export const createSharedItems = (redis: Redis, vault: Vault): SharedItems => {
  const nameOf = (key: string) => `tollgate:item:${lookupHash(key)}`
  const opened = (sealed: string, key: string) => {
    try {
      return Kept.safeParse(JSON.parse(vault.open(sealed, key))).data
    } catch {
      // Encrypted with another master key by a different installation on the same Redis.
      return undefined
    }
  }
  return {
    keep: (key, item, ms) => redis.ask('SET', [nameOf(key), vault.seal(JSON.stringify(item), key), 'PX', String(ms)]),
    forget: (key) => redis.ask('DEL', [nameOf(key)]),
    async find(key) {
      const found = await redis.ask('GET', [nameOf(key)])
      return typeof found?.answer === 'string' ? opened(found.answer, key) : undefined
    },
  }
}
