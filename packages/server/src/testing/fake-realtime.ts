import { onTestFinished } from 'bun:test'

/* A vendor of realtime conversations: it opens a session, records what it receives, and answers as the test wants. */

export interface RealtimeSession {
  event(event: object): void
  /** A response with audio and text and this usage, as OpenAI reports it. */
  respond(usage: object | null, words?: number): void
  close(code?: number): void
  cut(): void
}

interface Exchange {
  url: URL
  headers: Headers
  received: Record<string, unknown>[]
  closed: Promise<number>
}

interface Data {
  exchange: Exchange
  left: (code: number) => void
}

interface Overrides {
  /** The answer to a client's event. */
  answer?(event: Record<string, unknown>, session: RealtimeSession): void
  /** Sent first; by default that the session was created. */
  greeting?(session: RealtimeSession): void
  /** The status with which an upgrade is refused. */
  refuse?: number
}

export const realtimeUsage = (input: object, output: object) => {
  const sum = (counts: object) =>
    Object.entries(counts).reduce(
      (total, [name, count]) => (name.includes('cached') ? total : total + Number(count)),
      0,
    )
  return {
    total_tokens: sum(input) + sum(output),
    input_tokens: sum(input),
    output_tokens: sum(output),
    input_token_details: input,
    output_token_details: output,
  }
}

export const fakeRealtime = ({ answer = () => {}, greeting = opened, refuse }: Overrides = {}) => {
  const exchanges: Exchange[] = []
  const server = Bun.serve<Data>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const { promise: closed, resolve: left } = Promise.withResolvers<number>()
      const exchange = { url: new URL(request.url), headers: new Headers(request.headers), received: [], closed }
      exchanges.push(exchange)
      if (refuse !== undefined) return new Response('{"error":{"message":"no"}}', { status: refuse })
      return self.upgrade(request, { data: { exchange, left } }) ? undefined : new Response('', { status: 400 })
    },
    websocket: {
      backpressureLimit: 256 * 1024 * 1024,
      open: (socket) => greeting(voiceOf(socket)),
      message(socket, text) {
        const event: Record<string, unknown> = JSON.parse(String(text))
        socket.data.exchange.received.push(event)
        answer(event, voiceOf(socket))
      },
      close: (socket, code) => socket.data.left(code),
    },
  })
  onTestFinished(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, exchanges }
}

function opened(session: RealtimeSession) {
  session.event({ type: 'session.created', event_id: 'event_1', session: { id: 'sess_1', object: 'realtime.session' } })
}

function voiceOf(socket: Bun.ServerWebSocket<Data>): RealtimeSession {
  const event = (sent: object) => void socket.send(JSON.stringify(sent))
  return {
    event,
    respond(usage, words = 3) {
      event({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress', usage: null } })
      for (let at = 0; at < words; at++)
        event({ type: 'response.output_audio_transcript.delta', item_id: 'item_1', delta: 'word ' })
      event({ type: 'response.done', response: { id: 'resp_1', status: 'completed', output: [], usage } })
    },
    close: (code = 1000) => socket.close(code),
    cut: () => socket.terminate(),
  }
}

/** A client socket that records what it receives. */
export const realtimeCaller = async (
  url: string,
  { key, protocols }: { key?: string; protocols?: string[] },
): Promise<RealtimeCaller> => {
  const options: Bun.WebSocketOptions = {
    ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
    ...(protocols === undefined ? {} : { protocols }),
  }
  // The browser's types hide that Bun's client takes headers.
  const Client = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => Bun.WebSocket
  const socket = new Client(url.replace(/^http/, 'ws'), options)
  const events: RealtimeEvent[] = []
  const waiting = new Set<() => void>()
  const { promise: closed, resolve: close } = Promise.withResolvers<number>()
  socket.addEventListener('message', ({ data }) => {
    events.push(JSON.parse(String(data)))
    for (const look of waiting) look()
  })
  socket.addEventListener('close', ({ code }) => close(code))
  const { promise: open, resolve, reject } = Promise.withResolvers<void>()
  socket.addEventListener('open', () => resolve())
  socket.addEventListener('error', ({ message }) => reject(new Error(message)))
  await open
  return {
    events,
    closed,
    protocol: socket.protocol,
    socket,
    send: (event) => socket.send(JSON.stringify(event)),
    /** The next event of the type that was not returned yet. */
    next: (type) =>
      new Promise((found) => {
        const look = () => {
          const at = events.findIndex((event) => event.type === type)
          if (at === -1) return
          waiting.delete(look)
          found(events.splice(at, 1)[0] ?? { type })
        }
        waiting.add(look)
        look()
      }),
  }
}

export interface RealtimeEvent {
  type: string
  error?: { type: string; code: string | null; message: string }
  response?: { usage?: unknown }
  session?: unknown
}

export interface RealtimeCaller {
  events: RealtimeEvent[]
  closed: Promise<number>
  protocol: string
  socket: Bun.WebSocket
  send(event: object): void
  next(type: string): Promise<RealtimeEvent>
}
