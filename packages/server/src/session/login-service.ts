import { UserStatus } from '@tollgate/contract'
import { GatewayError } from '../errors.ts'
import type { Limiter, Rule } from '../limits/limiter.ts'
import { takeAll } from '../limits/too-many-requests.ts'
import type { OptionsService } from '../options/options-service.ts'
import { hashPassword, isOutdated, NO_PASSWORD, verifyPassword } from '../security/passwords.ts'
import type { AccountsService, StoredUser } from '../users/accounts-service.ts'

export type LoginService = ReturnType<typeof createLoginService>

/** Guessing is slow: so many wrong passwords for one account, and from one address. Right ones do not count. */
const PER_ACCOUNT: Rule = { name: 'login-account', max: 10, windowSec: 900 }
const PER_ADDRESS: Rule = { name: 'login-address', max: 30, windowSec: 900 }

interface Needs {
  accounts: AccountsService
  options: OptionsService
  limiter: Limiter
}

export const createLoginService = ({ accounts, options, limiter }: Needs) => ({
  /** The same answer, after the same work, for an unknown name, a wrong password and a banned account. */
  async login({ username, password, from }: { username: string; password: string; from: string }): Promise<StoredUser> {
    if (!options.values().PasswordLoginEnabled) throw new GatewayError('session.password_login_off')
    const user = await accounts.findByLogin(username)
    // By the account, so that its name and its address are not two things to guess at.
    const counted: [Rule, string][] = [
      [PER_ACCOUNT, user === undefined ? `name:${username.toLowerCase()}` : `id:${user.id}`],
      [PER_ADDRESS, from],
    ]
    await takeAll(limiter, counted, 'http.too_many')
    const hash = user?.password || NO_PASSWORD
    const right = await verifyPassword(password, hash)
    if (!right || user === undefined || user.status !== UserStatus.enabled) {
      throw new GatewayError('session.bad_credentials')
    }
    for (const [rule, key] of counted) await limiter.giveBack(rule, key)
    if (isOutdated(hash)) await accounts.rehash(user.id, await hashPassword(password))
    return user
  },
})
