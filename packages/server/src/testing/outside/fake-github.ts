import { jsonFields, type Received, recordingServer, singleUse } from './recording-server.ts'

export interface GitHubAccount {
  id: number
  login: string
  name?: string | null
  /** The public address of the profile. */
  email?: string | null
  emails?: { email: string; primary: boolean; verified: boolean }[]
  /** Whether the person granted the scope `user:email`. */
  emailScope?: boolean
}

/** github.com and api.github.com in one server. `codeFor` is a person clicking "Authorize". */
export function fakeGitHub({ clientId = 'github-client', clientSecret = 'github-secret' } = {}) {
  const codes = singleUse<GitHubAccount>('')
  const tokens = new Map<string, GitHubAccount>()

  function exchange(request: Received) {
    const fields = jsonFields(request)
    if (request.headers.get('accept') !== 'application/json') return new Response('error=not_asked_for_json')
    if (fields?.client_id !== clientId || fields.client_secret !== clientSecret)
      return refusal('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.')
    const account = codes.redeem(fields.code)
    if (account === undefined) return refusal('bad_verification_code', 'The code passed is incorrect or expired.')
    const accessToken = `gho_${crypto.randomUUID().replaceAll('-', '')}`
    tokens.set(accessToken, account)
    return Response.json({ access_token: accessToken, scope: 'user:email', token_type: 'bearer' })
  }

  function api(request: Received) {
    if (!request.headers.has('user-agent')) return new Response('Request forbidden', { status: 403 })
    const account = tokens.get(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '')
    if (account === undefined) return Response.json({ message: 'Bad credentials', status: '401' }, { status: 401 })
    const { id, login, name = null, email = null, emails = [], emailScope = true } = account
    if (request.path === '/user') return Response.json({ id, login, name, email, type: 'User' })
    if (request.path === '/user/emails' && emailScope) return Response.json(emails)
    return Response.json({ message: 'Not Found', status: '404' }, { status: 404 })
  }

  const server = recordingServer((request) => {
    if (request.method === 'POST' && request.path === '/login/oauth/access_token') return exchange(request)
    if (request.method === 'GET') return api(request)
    return Response.json({ message: 'Not Found', status: '404' }, { status: 404 })
  })
  return { ...server, clientId, clientSecret, codeFor: codes.issue }
}

/** GitHub refuses with status 200. */
function refusal(error: string, description: string) {
  return Response.json({ error, error_description: description, error_uri: 'https://docs.github.com/' })
}
