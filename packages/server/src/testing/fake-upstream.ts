import { createServer } from 'node:net'
import type { Exchange } from './exchange.ts'
import { streamed, whole } from './fake-answers.ts'

/*
 * The provider's end of the wire, for tests and benchmarks. Its behaviour is chosen by the model's name, and it keeps its own journal:
 * the independent witness of what was really sent.
 */

/**
 * `say/20` answers 20 words, `pace/50/20` one each 50 ms, `fixed/7/3` reports exactly these tokens; `usage/…` reports
 * nonsense; `fault/…` misbehaves; anything else answers ten words.
 */
export const fakeUpstream = (options: { port?: number } = {}) => {
  const journal: Exchange[] = []
  const waiting = new Set<() => void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const changed = () => {
    for (const look of waiting) look()
  }

  const server = Bun.serve({
    port: options.port ?? 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname
      const body = await readBody(request)
      const model = turned(String(body.model ?? ''), journal)
      const exchange: Exchange = {
        ...{ path, model, headers: request.headers, body },
        ...{ tokensSent: 0, finished: false, aborted: false },
      }
      journal.push(exchange)
      const aborted = () => {
        if (!exchange.finished) exchange.aborted = true
        changed()
      }
      request.signal.addEventListener('abort', aborted)
      changed()
      const fault = model.startsWith('fault/') ? model.slice(6) : ''
      if (fault !== '') {
        const answer = await misbehave(fault, exchange, request.signal)
        if (answer !== undefined) return answer
      }
      if (path.endsWith('/models')) return Response.json({ object: 'list', data: [{ id: 'gpt-4o-mini' }] })
      return body.stream === true ? streamed(exchange, fault, { aborted, released }) : whole(exchange, path)
    },
  })

  /** Resolves as soon as the condition holds. */
  const until = (condition: (journal: readonly Exchange[]) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!condition(journal)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })

  return {
    url: `http://127.0.0.1:${server.port}`,
    journal,
    until,
    /** Releases waiting streams. */
    release,
    /** Resolves when this many requests have arrived. */
    received: (count: number) => until(() => journal.length >= count),
    stop: () => server.stop(true),
  }
}

/** A port on which connections are refused: it was free a moment ago and nothing listens. */
export const refusedAddress = async () => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => probe.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** `then/rate/say/5`: a fault the first time, and then what follows it. */
function turned(model: string, journal: readonly Exchange[]) {
  const [, fault, rest] = /^then\/([\w-]+)\/(.+)$/.exec(model) ?? []
  if (fault === undefined || rest === undefined) return model
  return journal.some(({ body }) => body.model === model) ? rest : `fault/${fault}`
}

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type') ?? ''
  if (type.startsWith('multipart/')) return Object.fromEntries([...(await request.formData()).entries()])
  const text = await request.text()
  return text === '' ? {} : JSON.parse(text)
}

const error = (status: number, message: string, more: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ error: { message, type: 'server_error', param: null, code: null, ...more } }, { status, headers })

async function misbehave(fault: string, exchange: Exchange, signal: AbortSignal): Promise<Response | undefined> {
  switch (fault) {
    case 'auth':
      return error(401, 'Incorrect API key provided', { code: 'invalid_api_key', type: 'invalid_request_error' })
    case 'quota':
      return error(429, 'You exceeded your current quota', { code: 'insufficient_quota', type: 'insufficient_quota' })
    case 'rate':
      return error(429, 'Rate limit reached', { code: 'rate_limit_exceeded' }, { 'retry-after': '7' })
    case 'wait-until': {
      const headers = { date: new Date(0).toUTCString(), 'retry-after': new Date(120_000).toUTCString() }
      return error(429, 'Rate limit reached', { code: 'rate_limit_exceeded' }, headers)
    }
    case 'server':
      return error(503, 'The engine is overloaded')
    case 'bad-gateway':
      return new Response('<html>502 Bad Gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } })
    case 'bad-request':
      return error(400, 'Unsupported value', { param: 'temperature', type: 'invalid_request_error' })
    case 'too-large':
      return error(413, 'Request too large', { type: 'invalid_request_error' })
    case 'unknown-model':
      return error(404, 'The model does not exist', { code: 'model_not_found', type: 'invalid_request_error' })
    case 'odd-error':
      return error(500, `Broken\u0000 and ${'long '.repeat(20_000)}`)
    case 'not-json':
      return new Response('<html>upstream</html>', { headers: { 'content-type': 'application/json' } })
    case 'a-page':
      return new Response('<html>Please log in</html>', { headers: { 'content-type': 'text/html' } })
    case 'error-in-200':
      return Response.json({ error: { message: 'Something went wrong inside', type: 'server_error' } })
    case 'hang':
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return error(499, 'gone')
    case 'redirect':
      return new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } })
    default:
      exchange.tokensSent = 0
      return undefined
  }
}
