import { isRoot, type OwnUser, type Received, UserStatus, type users } from '@tollgate/contract'
import { type Db, type Tx, transact } from '../database/client.ts'
import { GatewayError } from '../errors.ts'
import { hashPassword } from '../security/passwords.ts'
import { lookupHash, randomHex, randomText } from '../security/random.ts'
import type { Actor } from '../session/actor.ts'
import type { SessionsService } from '../session/sessions-service.ts'
import { refuseAccessToken, refuseRoot } from './ranks.ts'
import { type StoredUser, toUser, usersRepository } from './users-repository.ts'
import { refuseLongName, refusePasswordIsName, refuseTakenName } from './users-service.ts'

export type SelfService = ReturnType<typeof createSelfService>

/** What a person does with the own account. */
export const createSelfService = ({ db, sessions }: { db: Db; sessions: SessionsService }) => ({
  get: async (actor: Actor): Promise<OwnUser> => toOwnUser(await self(db, actor)),

  async update(actor: Actor, edit: Received<typeof users.updateSelf>['body']) {
    if (edit.password) refuseAccessToken(actor)
    const passwordHash = edit.password ? await hashPassword(edit.password) : undefined
    return transact(db, async (tx) => {
      const before = await self(tx, actor)
      refuseLongName(edit.username, before)
      refusePasswordIsName(edit.password, edit.username || before.username)
      await usersRepository(tx)
        .update(before.id, {
          username: edit.username || before.username,
          display_name: edit.display_name || before.display_name,
          ...(edit.external_login !== undefined && isRoot(actor.role)
            ? { external_login: edit.external_login ? 1 : 0 }
            : {}),
          ...(passwordHash === undefined ? {} : { password: passwordHash, password_default: 0 }),
        })
        .catch(refuseTakenName)
      if (passwordHash !== undefined) await endOtherSessions(tx, actor, sessions)
      return toOwnUser(await self(tx, actor))
    })
  },

  remove: (actor: Actor) =>
    transact(db, async (tx) => {
      const user = await self(tx, actor)
      if (isRoot(user.role)) refuseRoot(user)
      await usersRepository(tx).revoke(user.id)
      await usersRepository(tx).update(user.id, {
        status: UserStatus.deleted,
        username: `deleted_${randomHex(16)}`,
      })
    }),

  /** Shown this once; stored as a hash. The one before it ends. */
  async newAccessToken(actor: Actor) {
    refuseAccessToken(actor)
    const token = `at-${randomText(48)}`
    await usersRepository(db).update(actor.id, { access_token_hash: lookupHash(token) })
    return token
  },

  affiliateCode: async (actor: Actor) => (await self(db, actor)).aff_code,
})

async function self(db: Db, actor: Actor) {
  const user = await usersRepository(db).find(actor.id)
  if (user === undefined) throw new GatewayError('session.missing')
  return user
}

/** A changed password ends every other session; the one in which it was changed goes on. */
async function endOtherSessions(tx: Tx, actor: Actor, sessions: SessionsService) {
  const { auth_version } = await usersRepository(tx).revoke(actor.id)
  if (actor.sessionHash !== undefined) await sessions.renew(tx, actor.sessionHash, auth_version)
}

function toOwnUser(row: StoredUser): OwnUser {
  return { ...toUser(row), default_password: row.password_default === 1, external_login: row.external_login === 1 }
}
