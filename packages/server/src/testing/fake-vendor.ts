import { onTestFinished } from 'bun:test'

export interface ReceivedRequest {
  method: string
  path: string
  headers: Headers
  /** Undefined without one, and for a form. */
  body: unknown
}

/** A vendor of any dialect: the test defines the answers, and this records the requests. It ends with the test. */
export const fakeVendor = (answer: (asked: ReceivedRequest, request: Request) => Response | Promise<Response>) => {
  const asked: ReceivedRequest[] = []
  const waiting = new Set<() => void>()
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const text = await request.text()
      const isForm = request.headers.get('content-type')?.startsWith('multipart/') === true
      const body: unknown = text === '' || isForm ? undefined : JSON.parse(text)
      const one = { method: request.method, path: pathname + search, headers: new Headers(request.headers), body }
      asked.push(one)
      for (const look of waiting) look()
      return answer(one, request)
    },
  })
  onTestFinished(() => server.stop(true))

  /** Resolves when a request with this method and path has arrived. */
  const received = (method: string, path: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!asked.some((one) => one.method === method && one.path === path)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  return { url: `http://127.0.0.1:${server.port}`, asked, received }
}

/** An answer as events, each named after its type if it has one. */
export const eventStream = (...events: Record<string, unknown>[]) => {
  const frames = events.map((event) => {
    const name = event.type === undefined ? '' : `event: ${event.type}\n`
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } })
}
