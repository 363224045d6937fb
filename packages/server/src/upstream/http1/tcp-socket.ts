import type { Socket } from 'bun'
import { Fault } from '../fault.ts'
import type { CheckedProxy } from '../proxy/checked-proxy.ts'

/** The destination of a connection. The address is literal and checked; behind a proxy it is a name. */
export interface Origin {
  address: string
  port: number
  tls: Bun.TLSOptions | undefined
  /** Connect timeout; undefined for the default. */
  timeoutMs: number | undefined
  /** The proxy to use. */
  hop: CheckedProxy | undefined
}

/** Receives the events of a socket. */
export interface Listener {
  /** TCP is connected. */
  opened?(wire: TcpSocket): void
  /** TLS is established, or the certificate check failed. */
  proved?(wire: TcpSocket, error: Error | null): void
  arrived(bytes: Buffer<ArrayBuffer>): void
  /** There is room for more. */
  drained(): void
  ended(error: Error | undefined): void
}

/** A TCP connection, with TLS if requested. */
type TcpSocket = Socket<Listener>

/** What a connection needs of its socket. */
export interface Wire {
  data: Listener
  /** The number of accepted bytes; `drained` follows when there is room for the rest. */
  write(bytes: Uint8Array): number
  pause(): void
  resume(): void
  /** Whether it keeps the process alive. */
  ref(): void
  unref(): void
  terminate(): void
}

/** One handler object for all sockets: thousands of them may be open. */
const HANDLERS: Bun.SocketHandler<Listener> = {
  open: (wire) => wire.data.opened?.(wire),
  handshake: (wire, authorized, error) => wire.data.proved?.(wire, authorized ? null : (error ?? UNPROVED)),
  // Each chunk is a buffer of its own, which the runtime neither shares nor reuses.
  data: ({ data }, bytes) => data.arrived(bytes as Buffer<ArrayBuffer>),
  drain: ({ data }) => data.drained(),
  close: ({ data }, error) => data.ended(error),
  error: ({ data }, error) => data.ended(error),
  connectError: ({ data }, error) => data.ended(error),
}

const UNPROVED = new Fault('an unknown certificate')
export const CONNECT_MS = 10_000

/** Connects. Nothing has been sent when it fails; a network error has its code. */
export const connectTcp = (
  { address, port, tls, timeoutMs = CONNECT_MS }: Origin,
  signal: AbortSignal | undefined,
): Promise<TcpSocket> =>
  new Promise((resolve, reject) => {
    let waiting = true
    const done = () => {
      waiting = false
      clearTimeout(late)
      signal?.removeEventListener('abort', leave)
    }
    const fail = (error: unknown) => {
      done()
      reject(error)
    }
    const ready = (wire: TcpSocket) => {
      if (!waiting) return wire.terminate()
      done()
      resolve(wire)
    }
    const leave = () => fail(signal?.reason)
    const late = setTimeout(() => fail(new NotConnected('connect time-out', 'ETIMEDOUT')), timeoutMs)
    signal?.addEventListener('abort', leave)
    const data: Listener = {
      opened(wire) {
        wire.setNoDelay(true)
        if (tls === undefined) ready(wire)
      },
      proved(wire, error) {
        if (error === null) return ready(wire)
        fail(error)
        wire.terminate()
      },
      arrived() {},
      drained() {},
      ended: (error) => fail(error ?? new NotConnected('broke off', 'ECONNRESET')),
    }
    Bun.connect({ hostname: address, port, data, ...(tls !== undefined && { tls }), socket: HANDLERS }).catch(fail)
  })

/** A failure before anything was sent. */
class NotConnected extends Fault {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message)
  }
}
