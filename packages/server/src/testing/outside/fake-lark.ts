import { jsonFields, type Received, recordingServer, singleUse } from './recording-server.ts'

export interface LarkAccount {
  open_id: string
  name?: string
}

/** open.feishu.cn and passport.feishu.cn in one server. A code belongs to the redirect address it was issued for. */
export function fakeLark({ appId = 'cli_app', appSecret = 'lark-secret' } = {}) {
  const codes = singleUse<{ account: LarkAccount; redirectUri: string }>('')
  const tokens = new Map<string, LarkAccount>()

  function exchange(request: Received) {
    const fields = jsonFields(request)
    if (fields?.grant_type !== 'authorization_code') return refusal(20036, 'invalid_request', 'Unsupported grant_type.')
    if (fields.client_id !== appId) return refusal(20048, 'invalid_client', 'The app does not exist.')
    if (fields.client_secret !== appSecret) return refusal(20002, 'invalid_client', 'The client secret is invalid.')
    const granted = codes.redeem(fields.code)
    if (granted === undefined) return refusal(20003, 'invalid_grant', 'The authorization code is not found or used.')
    if (granted.redirectUri !== fields.redirect_uri)
      return refusal(20071, 'invalid_grant', 'The redirect_uri does not match the one of the authorization.')
    const accessToken = `eyJ.${crypto.randomUUID()}`
    tokens.set(accessToken, granted.account)
    return Response.json({ code: 0, access_token: accessToken, expires_in: 7200, token_type: 'Bearer', scope: '' })
  }

  function userinfo(request: Received) {
    const account = tokens.get(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '')
    if (account === undefined)
      return Response.json({ code: 20005, message: 'The access token is invalid.' }, { status: 401 })
    return Response.json({ sub: account.open_id, tenant_key: 't', ...account })
  }

  const server = recordingServer((request) => {
    if (request.method === 'POST' && request.path === '/open-apis/authen/v2/oauth/token') return exchange(request)
    if (request.method === 'GET' && request.path === '/suite/passport/oauth/userinfo') return userinfo(request)
    return new Response('404 page not found', { status: 404 })
  })
  return {
    ...server,
    appId,
    appSecret,
    codeFor: (account: LarkAccount, redirectUri: string) => codes.issue({ account, redirectUri }),
  }
}

function refusal(code: number, error: string, description: string) {
  return Response.json({ code, error, error_description: description }, { status: 400 })
}
