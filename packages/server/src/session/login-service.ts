import { UserStatus } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import type { PasswordGuesses } from '../limits/password-guesses.ts'
import type { OptionsService } from '../options/options-service.ts'
import { hashPassword, isOutdated, NO_PASSWORD, verifyPassword } from '../security/passwords.ts'
import type { AccountsService, StoredUser } from '../users/accounts-service.ts'

export type LoginService = ReturnType<typeof createLoginService>

interface Needs {
  accounts: AccountsService
  options: OptionsService
  guesses: PasswordGuesses
}

interface Attempt {
  username: string
  password: string
  network: string
  /** The name of the caller's browser, if it has signed in to that account before. */
  deviceOf(userId: number): string | undefined
}

export const createLoginService = ({ accounts, options, guesses }: Needs) => ({
  /** The same answer, after the same work, for an unknown name, a wrong password and a banned account. */
  async login({ username, password, network, deviceOf }: Attempt): Promise<StoredUser> {
    if (!options.values().PasswordLoginEnabled) throw new GatewayError('session.password_login_off')
    const user = await accounts.findByLogin(username)
    const device = user && deviceOf(user.id)
    // By the account, so that its name and its e-mail address do not double the number of guesses.
    const account = user === undefined ? `name:${username.toLowerCase()}` : `id:${user.id}`
    const hash = user?.password || NO_PASSWORD
    const right = await guesses.guess(account, device === undefined ? { network } : { device }, async () => {
      const matches = await verifyPassword(password, hash)
      return matches && user?.status === UserStatus.enabled
    })
    if (!right || user === undefined) throw new GatewayError('session.bad_credentials')
    if (isOutdated(hash)) await accounts.rehash(user.id, await hashPassword(password))
    return user
  },
})
