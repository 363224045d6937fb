/** One request as received by a service. */
export interface Received {
  method: string
  path: string
  query: Record<string, string>
  headers: Headers
  body: string
}

/**
 * A real HTTP server on a free local port that records requests. The services of this folder use it; they are strict, so that a request the
 * real service would refuse is refused here too.
 */
export function recordingServer(answer: (request: Received) => Response) {
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const url = new URL(request.url)
      const seen = {
        method: request.method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: new Headers(request.headers),
        body: await request.text(),
      }
      received.push(seen)
      return answer(seen)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    stop: () => server.stop(true),
  }
}

/** The body when it is a JSON object of text fields, else undefined: a form or anything else is not accepted. */
export function jsonFields({ headers, body }: Received): Record<string, unknown> | undefined {
  if (!headers.get('content-type')?.startsWith('application/json')) return undefined
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** Values that can be used once: authorization codes. */
export function singleUse<T>(prefix: string) {
  const open = new Map<string, T>()
  return {
    issue(value: T) {
      const code = `${prefix}${crypto.randomUUID().replaceAll('-', '')}`
      open.set(code, value)
      return code
    },
    redeem(code: unknown) {
      if (typeof code !== 'string') return undefined
      const value = open.get(code)
      open.delete(code)
      return value
    },
  }
}
