import type { Socket } from 'bun'
import { Fault } from '../fault.ts'

/** Where a connection goes. The address is a literal one, already checked. */
export interface Place {
  address: string
  port: number
  tls: Bun.TLSOptions | undefined
}

/** Who is told what happens on a wire. */
interface Listener {
  arrived(bytes: Buffer<ArrayBuffer>): void
  /** There is room for more. */
  drained(): void
  ended(error: Error | undefined): void
}

/** A TCP connection, under TLS where that is asked for. */
export type Wire = Socket<Listener>

const CONNECT_MS = 10_000

/** Connects. Nothing has been sent when it fails; an error of the network has its code. */
export const openWire = ({ address, port, tls }: Place, signal: AbortSignal | undefined): Promise<Wire> => {
  const { promise, resolve, reject } = Promise.withResolvers<Wire>()
  const giveUp = (error: unknown) => {
    reject(error)
    promise.catch(() => {})
    given = true
  }
  let given = false
  const late = setTimeout(() => giveUp(new NotConnected('connect time-out', 'ETIMEDOUT')), CONNECT_MS)
  const left = () => giveUp(signal?.reason)
  signal?.addEventListener('abort', left)
  const opened = (wire: Wire) => {
    if (given) wire.terminate()
    else resolve(wire)
  }
  Bun.connect<Listener>({
    hostname: address,
    port,
    data: { arrived() {}, drained() {}, ended: () => reject(new NotConnected('broke off', 'ECONNRESET')) },
    ...(tls !== undefined && { tls }),
    socket: {
      open(wire) {
        wire.setNoDelay(true)
        if (tls === undefined) opened(wire)
      },
      handshake(wire, authorized, error) {
        if (authorized) return opened(wire)
        reject(error ?? new Fault('an unknown certificate'))
        wire.terminate()
      },
      // Each piece is memory of its own, which the runtime neither shares nor uses again.
      data: ({ data }, bytes) => data.arrived(bytes as Buffer<ArrayBuffer>),
      drain: ({ data }) => data.drained(),
      close: ({ data }, error) => data.ended(error),
      error: ({ data }, error) => data.ended(error),
      connectError: (_, error) => reject(error),
    },
  }).catch(reject)
  return promise.finally(() => {
    clearTimeout(late)
    signal?.removeEventListener('abort', left)
  })
}

/** A failure before anything was sent. */
class NotConnected extends Fault {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message)
  }
}
