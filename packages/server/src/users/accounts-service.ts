import { GatewayError } from '../common/errors.ts'
import type { Db, Tx } from '../database/client.ts'
import { isUniqueViolation } from '../database/unique.ts'
import { type IdentityColumn, SERVICE_OF, usersRepository } from './users-repository.ts'

export type AccountsService = ReturnType<typeof createAccountsService>
export type { IdentityColumn, StoredUser } from './users-repository.ts'

/** What sign-in, registration and recovery need of accounts. */
export const createAccountsService = ({ db }: { db: Db }) => ({
  ...usersRepository(db),

  /** A login name is a username, or the e-mail address of an account. */
  async findByLogin(login: string) {
    return (await usersRepository(db).findByName(login)) ?? (await usersRepository(db).findByEmail(login.toLowerCase()))
  },

  async setPassword(tx: Tx, id: number, hash: string) {
    await usersRepository(tx).update(id, { password: hash, password_default: 0 })
    await usersRepository(tx).revoke(id)
  },

  /** The same password, hashed with current parameters. Nothing else changes. */
  rehash: (id: number, hash: string) => usersRepository(db).update(id, { password: hash }),

  bindIdentity: (id: number, column: IdentityColumn, value: string) =>
    usersRepository(db)
      .update(id, { [column]: value })
      .catch((error: unknown) => {
        if (isUniqueViolation(error)) throw new GatewayError('oauth.already_bound', { service: SERVICE_OF[column] })
        throw error
      }),

  bindEmail: (id: number, email: string) =>
    usersRepository(db)
      .update(id, { email })
      .catch((error: unknown) => {
        if (isUniqueViolation(error)) throw new GatewayError('register.email_taken')
        throw error
      }),
})
