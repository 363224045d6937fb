import type { RequestBody } from './request-head.ts'
import type { Wire } from './tcp-socket.ts'

/** Writes requests to a socket, which may accept less than it is given and signals when it has room. */
export interface Sender {
  send(head: string, body: RequestBody | undefined, failed: (error: Error) => void): void
  /** The socket has room again. */
  drained(): void
  /** Everything was sent. */
  idle(): boolean
}

export const createSender = (socket: Pick<Wire, 'write'>): Sender => {
  let rest: Uint8Array | undefined
  let sending = false
  let room: (() => void) | undefined

  const write = (bytes: Uint8Array) => {
    const taken = Math.max(0, socket.write(bytes))
    if (taken < bytes.byteLength) rest = bytes.subarray(taken)
  }

  const sendChunks = async (body: ReadableStream<Uint8Array>) => {
    for await (const piece of body) {
      if (piece.byteLength === 0) continue
      write(Buffer.concat([Buffer.from(`${piece.byteLength.toString(16)}\r\n`), piece, CRLF]))
      if (rest !== undefined) await new Promise<void>((resolve) => (room = resolve))
    }
    write(LAST_CHUNK)
    sending = false
  }

  return {
    send(head, body, failed) {
      if (body instanceof ReadableStream) {
        sending = true
        write(Buffer.from(head, 'latin1'))
        sendChunks(body).catch(failed)
        return
      }
      write(packet(head, body))
    },
    drained() {
      const bytes = rest
      rest = undefined
      if (bytes !== undefined) write(bytes)
      if (rest !== undefined) return
      room?.()
      room = undefined
    },
    idle: () => rest === undefined && !sending,
  }
}

const CRLF = Buffer.from('\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Head and body in one buffer: two writes would be two packets. */
function packet(head: string, body: string | Uint8Array | undefined): Uint8Array {
  if (body === undefined) return Buffer.from(head, 'latin1')
  const bytes = Buffer.allocUnsafe(head.length + Buffer.byteLength(body))
  bytes.write(head, 0, 'latin1')
  if (typeof body === 'string') bytes.write(body, head.length, 'utf8')
  else bytes.set(body, head.length)
  return bytes
}
