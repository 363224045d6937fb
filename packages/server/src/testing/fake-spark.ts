import { onTestFinished } from 'bun:test'
import { createHmac } from 'node:crypto'

/* iFlytek's end of the wire: the URL's signature is checked, one message is read, frames are sent. */

export const SPARK_KEY = { appId: 'app12345', secret: 'spark-secret', apiKey: 'spark-api-key' }

/** What the fake does after it has read the request. */
export type SparkScript = (connection: SparkConnection, question: Record<string, unknown>) => void | Promise<void>

export interface SparkConnection {
  /** A frame of the answer; `status` 2 is the last one. */
  frame(text: string, status: 0 | 1 | 2): void
  /** Sent unchanged. */
  raw(text: string): void
  close(code?: number): void
  /** Ends the connection without a close frame. */
  cut(): void
  /** Resolves when the gateway has disconnected. */
  gone: Promise<void>
}

export const errorFrame = (code: number, message: string) => JSON.stringify({ header: { code, message, sid: 'cht-e' } })

interface Seen {
  path: string
  question: Record<string, unknown>
}

interface Data {
  path: string
  gone: PromiseWithResolvers<void>
}

export const fakeSpark = (script: SparkScript) => {
  const seen: Seen[] = []
  const refused: string[] = []
  const server = Bun.serve<Data>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const fault = faultIn(request)
      if (fault !== undefined) {
        refused.push(fault)
        return Response.json({ message: fault }, { status: 401 })
      }
      const path = new URL(request.url).pathname
      if (self.upgrade(request, { data: { path, gone: Promise.withResolvers<void>() } })) return undefined
      return new Response('not a socket', { status: 400 })
    },
    websocket: {
      async message(socket, text) {
        const question: Record<string, unknown> = JSON.parse(String(text))
        seen.push({ path: socket.data.path, question })
        const connection: SparkConnection = {
          frame: (content, status) => void socket.send(JSON.stringify(frameOf(content, status))),
          raw: (message) => void socket.send(message),
          close: (code = 1000) => socket.close(code),
          cut: () => socket.terminate(),
          gone: socket.data.gone.promise,
        }
        await script(connection, question)
      },
      close: (socket) => socket.data.gone.resolve(),
    },
  })
  onTestFinished(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, seen, refused }
}

function frameOf(content: string, status: 0 | 1 | 2) {
  const usage = { text: { question_tokens: 4, prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 } }
  return {
    header: { code: 0, message: 'Success', sid: 'cht-1', status },
    payload: {
      choices: { status, seq: status, text: [{ content, role: 'assistant', index: 0 }] },
      ...(status === 2 ? { usage } : {}),
    },
  }
}

/** By the vendor's documentation of the signature, with Node's own HMAC. */
function faultIn(request: Request): string | undefined {
  const url = new URL(request.url)
  const date = url.searchParams.get('date') ?? ''
  const host = url.searchParams.get('host') ?? ''
  const line = Buffer.from(url.searchParams.get('authorization') ?? '', 'base64').toString('utf8')
  const fields = Object.fromEntries([...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  if (fields.api_key !== SPARK_KEY.apiKey) return 'HMAC apikey is invalid'
  if (host !== request.headers.get('host')) return 'HMAC host is invalid'
  if (Math.abs(Date.parse(date) - Date.now()) > 300_000)
    return 'HMAC signature cannot be verified, a valid date is needed'
  const signed = `host: ${host}\ndate: ${date}\nGET ${url.pathname} HTTP/1.1`
  const expected = createHmac('sha256', SPARK_KEY.secret).update(signed).digest('base64')
  return fields.signature === expected ? undefined : 'HMAC signature does not match'
}
