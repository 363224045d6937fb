/* A proxy between a program and the gateway that records requests and forwards them unchanged. */

export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  /** What the gateway answered. */
  status: number
  /** The error message, if refused. */
  refusal: string
  atMs: number
}

export const startRecorder = (gateway: string) => {
  const sent: Sent[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { method, signal } = request
      const body = await request.text()
      const headers = new Headers(request.headers)
      const one: Sent = {
        ...{ method, path: pathname + search, body, status: 0, refusal: '', atMs: Date.now() },
        headers: Object.fromEntries(headers),
      }
      sent.push(one)
      for (const name of ['host', 'content-length', 'connection', 'accept-encoding']) headers.delete(name)
      const answer = await fetch(gateway + one.path, {
        ...{ method, headers, signal, redirect: 'manual' },
        ...(body === '' ? {} : { body }),
      })
      one.status = answer.status
      if (answer.status >= 400) {
        const text = await answer.text()
        one.refusal = sentenceIn(text)
        return new Response(text, { status: answer.status, headers: answer.headers })
      }
      return new Response(answer.body, { status: answer.status, headers: answer.headers })
    },
    error: () => new Response(null, { status: 502 }),
  })
  return { url: `http://127.0.0.1:${server.port}`, sent, stop: () => server.stop(true) }
}

function sentenceIn(text: string): string {
  const [, message = text] = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(text) ?? []
  return message
}
