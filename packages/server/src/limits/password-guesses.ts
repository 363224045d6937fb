import type { Limiter } from './limiter.ts'
import type { Rule } from './rule.ts'
import { takeAll } from './too-many-requests.ts'

/** Ten in a quarter of an hour for one account from one place. Whoever guesses closes it there, for nobody else. */
const PER_ACCOUNT_AND_PLACE: Rule = { name: 'login-account-place', max: 10, windowSec: 900 }
/** One place that tries many accounts. */
const PER_NETWORK: Rule = { name: 'login-network', max: 30, windowSec: 900 }
/** Many places that try one account. */
const PER_ACCOUNT: Rule = { name: 'login-account', max: 100, windowSec: 86_400 }

/** Where a password was typed: in a browser that has signed in to this account before, or anywhere in a network. */
export type Place = { device: string } | { network: string }

export type PasswordGuesses = ReturnType<typeof createPasswordGuesses>

/**
 * Guessing is slow: wrong passwords are counted, right ones are not. A device that the account knows is counted by itself
 * alone, so that no stranger's guesses keep the owner out.
 */
export const createPasswordGuesses = (limiter: Limiter) => ({
  /** Answers whether the check found the password right; counts it if not. Throws when there were too many. */
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
