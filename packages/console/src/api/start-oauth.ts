import { type OauthProvider, oauth } from '@tollgate/contract'
import { gitHubAuthorizeUrl, larkAuthorizeUrl } from '../lib/session/oauth-links.ts'
import { call } from './call.ts'
import { useStatus } from './status.ts'
import { useSend } from './use-send.ts'

/** Redirects to a third party, to sign in or bind an account. It returns to /oauth/{provider}. */
export function useStartOAuth() {
  const { github_client_id, lark_client_id } = useStatus()
  return useSend({
    mutationFn: async (provider: OauthProvider) => {
      const state = await call(oauth.state, { query: { provider } })
      const { origin } = window.location
      window.location.assign(
        provider === 'github'
          ? gitHubAuthorizeUrl(github_client_id, state)
          : larkAuthorizeUrl(lark_client_id, state, origin),
      )
    },
  })
}
