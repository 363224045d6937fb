import { isAdmin, UserStatus } from '@tollgate/contract'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Db, Tx } from '../database/client.ts'
import { lookupHash, randomHex } from '../security/random.ts'
import type { AccountsService, StoredUser } from '../users/accounts-service.ts'
import { sessionsRepository } from './sessions-repository.ts'

export type SessionsService = ReturnType<typeof createSessionsService>

/** The credentials of a request. */
export interface Credentials {
  cookie: string | undefined
  authorization: string | undefined
}

export const SESSION_MAX_SEC = 30 * DAY
const IDLE_SEC = 7 * DAY
const IDLE_ADMIN_SEC = 12 * HOUR

/** Updating "seen" at every request would make each read a write. */
const TOUCH_EVERY_SEC = 300

/**
 * Sessions are stored here, not in the cookie: the cookie is a random number, of which the database has the hash. Role and status are
 * read at every request, so that a ban or demotion applies from the next one on.
 */
export const createSessionsService = ({ db, clock, accounts }: { db: Db; clock: Clock; accounts: AccountsService }) => {
  const bySession = async (cookie: string): Promise<Actor | undefined> => {
    const hash = lookupHash(cookie)
    const session = await sessionsRepository(db).find(hash)
    if (session === undefined) return undefined
    const user = await accounts.find(session.user_id)
    const now = seconds(clock)
    if (user?.status !== UserStatus.enabled || user.auth_version !== session.auth_version) return undefined
    const idle = isAdmin(user.role) ? IDLE_ADMIN_SEC : IDLE_SEC
    if (now - session.created_at > SESSION_MAX_SEC || now - session.seen_at > idle) return undefined
    if (now - session.seen_at > TOUCH_EVERY_SEC) await sessionsRepository(db).touch(hash, now)
    return { ...identity(user), by: 'session', sessionHash: hash }
  }

  const byAccessToken = async (authorization: string): Promise<Actor | undefined> => {
    const token = authorization.replace(/^Bearer\s+/i, '').trim()
    const user = token === '' ? undefined : await accounts.findByAccessToken(lookupHash(token))
    if (user?.status !== UserStatus.enabled) return undefined
    return { ...identity(user), by: 'access token', sessionHash: undefined }
  }

  return {
    async authenticate({ cookie, authorization }: Credentials): Promise<Actor | undefined> {
      const actor = cookie === undefined ? undefined : await bySession(cookie)
      if (actor !== undefined || authorization === undefined) return actor
      return byAccessToken(authorization)
    },

    /** Opens a session and returns the cookie's value, the only time it is known here. */
    async open(user: StoredUser, { ip, userAgent }: { ip: string; userAgent: string }) {
      const id = randomHex(32)
      const now = seconds(clock)
      await sessionsRepository(db).insert({
        id_hash: lookupHash(id),
        user_id: user.id,
        auth_version: user.auth_version,
        created_at: now,
        seen_at: now,
        ip,
        user_agent: userAgent.slice(0, 256),
      })
      return id
    },

    close: (cookie: string) => sessionsRepository(db).remove(lookupHash(cookie)),

    /** Keeps one session when all sessions of its user are ended. */
    renew: (tx: Tx, sessionHash: string, authVersion: number) => sessionsRepository(tx).renew(sessionHash, authVersion),

    /** Removes expired sessions. */
    async removeEnded() {
      const now = seconds(clock)
      await sessionsRepository(db).removeOlderThan(now - SESSION_MAX_SEC, now - IDLE_SEC)
    },
  }
}

function identity({ id, username, role, group }: StoredUser) {
  return { id, username, role, group }
}
