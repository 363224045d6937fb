import { type OauthProvider, oauth, type SessionUser } from '@tollgate/contract'
import { cookieHeader, readCookie } from '../http/cookies.ts'
import { Answer, type Caller, type Router, serve } from '../http/serve.ts'
import { signIn } from '../http/session-cookie.ts'
import { randomHex } from '../security/random.ts'
import type { KnownDevices } from '../session/known-devices.ts'
import type { SessionsService } from '../session/sessions-service.ts'
import type { StoredUser } from '../users/accounts-service.ts'
import type { OauthService } from './oauth-service.ts'
import { type OauthStates, STATE_VALID_SEC } from './oauth-states.ts'

/** Identifies the browser that started a sign-in. */
const BROWSER = 'oauth'

interface Services {
  oauth: OauthService
  states: OauthStates
  sessions: SessionsService
  devices: KnownDevices
}

export const oauthRoutes = (router: Router, { oauth: service, states, ...signingIn }: Services) => {
  serve(router, oauth.state, async ({ query }, caller) => {
    const { secure, crossSite } = caller
    const browser = readCookie(caller.cookieHeaders, BROWSER, secure) ?? randomHex(16)
    const options = { maxAgeSec: STATE_VALID_SEC, secure, crossSite }
    caller.answerHeaders.append('set-cookie', cookieHeader(BROWSER, browser, options))
    return states.issue(browser, caller.actor, query.provider)
  })

  const useState = (caller: Caller<'public'>, state: string, provider: OauthProvider) =>
    states.use(state, readCookie(caller.cookieHeaders, BROWSER, caller.secure), caller.actor, provider)

  // Clients distinguish a binding from a sign-in by the message.
  const answer = async (
    caller: Caller<'public'>,
    outcome: 'bound' | StoredUser,
  ): Promise<Answer<SessionUser | undefined, undefined>> =>
    outcome === 'bound'
      ? new Answer(undefined, { message: 'bind' })
      : new Answer(await signIn(caller, signingIn, outcome), {})

  serve(router, oauth.github, async ({ query }, caller) => {
    await useState(caller, query.state, 'github')
    return answer(caller, await service.github(query.code, caller.actor))
  })
  serve(router, oauth.lark, async ({ query }, caller) => {
    await useState(caller, query.state, 'lark')
    return answer(caller, await service.lark(query.code, caller.actor))
  })
  serve(router, oauth.wechat, async ({ query }, caller) => signIn(caller, signingIn, await service.wechat(query.code)))
  serve(router, oauth.bindWechat, ({ query }, { actor }) => service.bindWechat(actor, query.code))
  serve(router, oauth.bindEmail, ({ query }, { actor }) => service.bindEmail(actor, query.email, query.code))
}
