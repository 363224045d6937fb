import { jsonFields, type Received, recordingServer, singleUse } from './recording-server.ts'

/** Cloudflare's siteverify. `solve` is the widget in the browser issuing its token. */
export function fakeTurnstile({ secret = 'turnstile-secret' } = {}) {
  const tokens = singleUse<{ solved: true }>('0.')
  const used = new Set<unknown>()

  function judge(request: Received) {
    const fields = jsonFields(request) ?? Object.fromEntries(new URLSearchParams(request.body))
    if (!fields.secret) return verdict('missing-input-secret')
    if (fields.secret !== secret) return verdict('invalid-input-secret')
    if (!fields.response) return verdict('missing-input-response')
    if (used.has(fields.response)) return verdict('timeout-or-duplicate')
    if (tokens.redeem(fields.response) === undefined) return verdict('invalid-input-response')
    used.add(fields.response)
    return verdict()
  }

  const server = recordingServer((request) => {
    if (request.method === 'POST' && request.path === '/turnstile/v0/siteverify') return judge(request)
    return new Response('Not found', { status: 404 })
  })
  return { ...server, secret, solve: () => tokens.issue({ solved: true }) }
}

function verdict(...errors: string[]) {
  return Response.json({ success: errors.length === 0, 'error-codes': errors, challenge_ts: '', hostname: 'localhost' })
}
