import type { Insertable } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'

export const oauthStatesRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['oauth_states']>) => db.insertInto('oauth_states').values(row).execute(),

  /** Reads and removes in one step: a state works once. */
  take: (stateHash: string, browserHash: string, now: number) =>
    db
      .deleteFrom('oauth_states')
      .where('state_hash', '=', stateHash)
      .where('browser_hash', '=', browserHash)
      .where('expires_at', '>', now)
      .returning(['user_id', 'provider'])
      .executeTakeFirst(),

  removeExpired: (now: number) => db.deleteFrom('oauth_states').where('expires_at', '<=', now).execute(),
})
