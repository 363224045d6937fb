import { isAdmin, isRoot, type OwnUser, type Received, UserStatus, type users } from '@tollgate/contract'
import type { Actor } from '../common/actor.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import type { PasswordGuesses } from '../limits/password-guesses.ts'
import type { RecordingsService } from '../recordings/recordings-service.ts'
import { hashPassword, NO_PASSWORD, verifyPassword } from '../security/passwords.ts'
import { lookupHash, randomHex, randomText } from '../security/random.ts'
import { named } from './name-key.ts'
import { refuseAccessToken, refuseRoot } from './ranks.ts'
import { type StoredUser, toUser, usersRepository } from './users-repository.ts'
import { refusePasswordIsName, refuseTakenName, renamed } from './users-service.ts'

export type SelfService = ReturnType<typeof createSelfService>

type Edit = Received<typeof users.updateSelf>['body']

/** Keeps the session in which the password was changed. */
interface Sessions {
  renew(tx: Tx, sessionHash: string, authVersion: number): Promise<unknown>
}

interface Needs {
  db: Db
  sessions: Sessions
  guesses: PasswordGuesses
  recordings: Pick<RecordingsService, 'removeOfUser'>
}

/** What users do with their own account. */
export const createSelfService = ({ db, sessions, guesses, recordings }: Needs) => {
  /** Enabling a sign-in method takes a session with the password just entered; disabling one takes a session. */
  const externalLogin = async (actor: Actor, wanted: boolean | undefined, password: string | undefined) => {
    const user = await self(db, actor)
    if (wanted === undefined || !isAdmin(user.role) || wanted === (user.external_login === 1)) return {}
    refuseAccessToken(actor)
    if (wanted) await confirm(user, actor, password)
    return { external_login: wanted ? 1 : 0 } as const
  }

  const confirm = async (user: StoredUser, actor: Actor, password: string | undefined) => {
    if (!password) throw new GatewayError('user.password_needed')
    const hash = user.password || NO_PASSWORD
    const place = { device: actor.sessionHash ?? '' }
    const isCorrect = await guesses.guess(`id:${user.id}`, place, () => verifyPassword(password, hash))
    if (!isCorrect) throw new GatewayError('user.wrong_password')
  }

  return {
    get: async (actor: Actor): Promise<OwnUser> => toOwnUser(await self(db, actor)),

    async update(actor: Actor, edit: Edit) {
      if (edit.password) refuseAccessToken(actor)
      const loginChange = await externalLogin(actor, edit.external_login, edit.current_password)
      const passwordHash = edit.password ? await hashPassword(edit.password) : undefined
      return transact(db, async (tx) => {
        const before = await self(tx, actor)
        refusePasswordIsName(edit.password, edit.username || before.username)
        await usersRepository(tx)
          .update(before.id, {
            ...renamed(edit.username, before),
            display_name: edit.display_name || before.display_name,
            ...loginChange,
            ...(passwordHash === undefined ? {} : { password: passwordHash, password_default: 0 }),
          })
          .catch(refuseTakenName)
        if (passwordHash !== undefined) await endOtherSessions(tx, actor, sessions)
        return toOwnUser(await self(tx, actor))
      })
    },

    async remove(actor: Actor) {
      await transact(db, async (tx) => {
        const user = await self(tx, actor)
        if (isRoot(user.role)) refuseRoot(user)
        await usersRepository(tx).revoke(user.id)
        await usersRepository(tx).update(user.id, {
          status: UserStatus.deleted,
          ...named(`deleted_${randomHex(16)}`),
        })
      })
      await recordings.removeOfUser(actor.id)
    },

    /** Shown only once; stored as a hash. The previous one ends. */
    async newAccessToken(actor: Actor) {
      refuseAccessToken(actor)
      const token = `at-${randomText(48)}`
      await usersRepository(db).update(actor.id, { access_token_hash: lookupHash(token) })
      return token
    },

    affiliateCode: async (actor: Actor) => (await self(db, actor)).aff_code,
  }
}

async function self(db: Db, actor: Actor) {
  const user = await usersRepository(db).find(actor.id)
  if (user === undefined) throw new GatewayError('session.missing')
  return user
}

/** A changed password ends every other session; the one in which it was changed continues. */
async function endOtherSessions(tx: Tx, actor: Actor, { renew }: Sessions) {
  const { auth_version } = await usersRepository(tx).revoke(actor.id)
  if (actor.sessionHash !== undefined) await renew(tx, actor.sessionHash, auth_version)
}

function toOwnUser(row: StoredUser): OwnUser {
  return { ...toUser(row), default_password: row.password_default === 1, external_login: row.external_login === 1 }
}
