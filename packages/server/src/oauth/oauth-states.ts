import type { OauthProvider } from '@tollgate/contract'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Db } from '../database/client.ts'
import { lookupHash, randomText } from '../security/random.ts'
import { oauthStatesRepository } from './oauth-states-repository.ts'

export type OauthStates = ReturnType<typeof createOauthStates>

export const STATE_VALID_SEC = 600

/**
 * A sign-in through another service leaves our site and returns. The state proves that it returns to the same browser, from the
 * service it was sent to, for the same purpose (sign-in, or binding to the account that started it), once, and soon. Older
 * consoles do not name the service; their state works for whichever returns first.
 */
export const createOauthStates = ({ db, clock }: { db: Db; clock: Clock }) => ({
  async issue(browser: string, actor: Actor | undefined, provider?: OauthProvider) {
    const state = randomText(24)
    await oauthStatesRepository(db).insert({
      state_hash: lookupHash(state),
      browser_hash: lookupHash(browser),
      user_id: actor?.id ?? null,
      provider: provider ?? null,
      expires_at: seconds(clock) + STATE_VALID_SEC,
    })
    return state
  },

  async use(state: string, browser: string | undefined, actor: Actor | undefined, provider: OauthProvider) {
    const row =
      browser === undefined
        ? undefined
        : await oauthStatesRepository(db).take(lookupHash(state), lookupHash(browser), seconds(clock))
    const fits = row?.user_id === (actor?.id ?? null) && (row.provider ?? provider) === provider
    if (!fits) throw new GatewayError('oauth.bad_state')
  },

  removeEnded: () => oauthStatesRepository(db).removeExpired(seconds(clock)),
})
