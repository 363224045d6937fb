import type { App, Socket } from '../app.ts'
import type { Config } from '../common/config.ts'
import type { Conversation } from '../relay/realtime/client-socket.ts'

/** Binds the app to a port. */
export const serveHttp = (app: App, { port, host, workers }: Pick<Config, 'port' | 'host' | 'workers'>) =>
  Bun.serve<Conversation>({
    port,
    hostname: host,
    reusePort: workers > 1,
    // Every reader of bodies has its own limit, with a proper error; this one would close without any.
    maxRequestBodySize: 2 ** 40,
    idleTimeout: 60,
    development: false,
    fetch: (request, server) => app.fetch(request, new CallerSocket(request, server)),
    websocket: {
      // A client that answers no ping for this long is gone.
      idleTimeout: 120,
      sendPings: true,
      maxPayloadLength: 16 * 1024 * 1024,
      perMessageDeflate: false,
      // The vendor is paused long before; data that would be dropped silently ends the socket instead.
      backpressureLimit: 64 * 1024 * 1024,
      closeOnBackpressureLimit: true,
      open: (socket) => socket.data.onOpen(socket),
      message: (socket, message) => socket.data.onMessage(message),
      drain: (socket) => socket.data.drained(),
      close: (socket, code) => socket.data.left(code),
    },
  })

class CallerSocket implements Socket {
  constructor(
    private readonly request: Request,
    private readonly server: Bun.Server<Conversation>,
  ) {}

  address() {
    return this.server.requestIP(this.request)?.address ?? ''
  }

  setIdleTimeout(seconds: number) {
    this.server.timeout(this.request, seconds)
  }

  upgrade(data: Conversation, headers: Record<string, string>) {
    return this.server.upgrade(this.request, { data, headers })
  }
}
