import type { Socket } from 'node:net'
import { ProxyFault } from '../fault.ts'

/** Reads a proxy's handshake. It owns the socket until it is released. */
export class HandshakeReader {
  private received = Buffer.alloc(0)
  private look: (() => void) | undefined
  private closed = false

  constructor(private readonly socket: Socket) {
    socket.on('data', this.onData)
    socket.on('close', this.onClose)
    socket.on('end', this.onClose)
  }

  async take(length: number): Promise<Buffer> {
    while (this.received.length < length) await this.more()
    const taken = this.received.subarray(0, length)
    this.received = this.received.subarray(length)
    return taken
  }

  /** Everything up to the delimiter, without it; undefined if it does not occur within `max` bytes. */
  async until(mark: string, max: number): Promise<string | undefined> {
    for (;;) {
      const at = this.received.indexOf(mark)
      if (at >= 0) return (await this.take(at + mark.length)).subarray(0, at).toString('latin1')
      if (this.received.length > max) return undefined
      await this.more()
    }
  }

  /** What follows belongs to the provider, who does not speak first. */
  release() {
    this.socket.off('data', this.onData)
    this.socket.off('close', this.onClose)
    this.socket.off('end', this.onClose)
    if (this.received.length > 0) throw new ProxyFault('it said more than it was asked')
    if (this.closed) throw new ProxyFault('it closed the connection')
  }

  private readonly onData = (bytes: Buffer) => {
    this.received = Buffer.concat([this.received, bytes])
    this.look?.()
  }

  private readonly onClose = () => {
    this.closed = true
    this.look?.()
  }

  private more() {
    if (this.closed) throw new ProxyFault('it closed the connection')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const before = this.received.length
    this.look = () => {
      if (this.received.length > before) resolve()
      else if (this.closed) reject(new ProxyFault('it closed the connection'))
    }
    return promise
  }
}
