import type { Limiter } from './limiter.ts'
import type { Rule } from './rule.ts'
import { takeAll } from './too-many-requests.ts'

/** Ten per quarter of an hour for one account from one place, so that guessing locks the account only there. */
const PER_ACCOUNT_AND_PLACE: Rule = { name: 'login-account-place', max: 10, windowSec: 900 }
/** One network that tries many accounts. */
const PER_NETWORK: Rule = { name: 'login-network', max: 30, windowSec: 900 }
/** Many networks that try one account. */
const PER_ACCOUNT: Rule = { name: 'login-account', max: 100, windowSec: 86_400 }

/** Where a password was entered: on a device that has signed in to this account before, or in a network. */
export type Place = { device: string } | { network: string }

export type PasswordGuesses = ReturnType<typeof createPasswordGuesses>

/**
 * Throttles password guessing: wrong passwords are counted, right ones are not. A known device is counted separately, so that a
 * stranger's guesses cannot lock the owner out.
 */
export const createPasswordGuesses = (limiter: Limiter) => ({
  /** Returns whether the password was right; counts it if not. Throws after too many. */
  async guess(account: string, place: Place, check: () => Promise<boolean>) {
    const counted = rulesFor(account, place)
    await takeAll(limiter, counted, 'http.too_many')
    if (!(await check())) return false
    for (const [rule, key] of counted) await limiter.giveBack(rule, key)
    return true
  },
})

function rulesFor(account: string, place: Place): [Rule, string][] {
  if ('device' in place) {
    const key = `${account}:device:${place.device}`
    return [
      [PER_ACCOUNT_AND_PLACE, key],
      [PER_ACCOUNT, key],
    ]
  }
  return [
    [PER_ACCOUNT_AND_PLACE, `${account}:${place.network}`],
    [PER_NETWORK, place.network],
    [PER_ACCOUNT, account],
  ]
}
