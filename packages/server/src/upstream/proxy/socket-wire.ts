import type { Socket } from 'node:net'
import type { Listener, Wire } from '../http1/tcp-socket.ts'

const NOBODY: Listener = { arrived() {}, drained() {}, ended() {} }

/** A socket of Node's, as a connection uses those of the runtime. */
export class SocketWire implements Wire {
  data: Listener = NOBODY
  private over = false

  constructor(
    private readonly socket: Socket,
    /** The same connection without its encryption, from the outermost inwards. */
    private readonly layers: readonly Socket[],
  ) {
    socket.setNoDelay(true)
    // The runtime may use the memory again; what is read later has to stay what it was.
    socket.on('data', (bytes: Buffer) => this.data.arrived(Buffer.from(new Uint8Array(bytes).buffer)))
    socket.on('error', (error: Error) => this.end(error))
    socket.on('close', () => this.end(undefined))
    for (const layer of layers) if (layer !== socket) layer.on('close', () => socket.destroy())
  }

  /** It takes everything, and keeps what has not left yet. */
  write(bytes: Uint8Array) {
    if (!this.socket.destroyed) this.socket.write(bytes)
    return bytes.byteLength
  }

  pause() {
    this.socket.pause()
  }

  resume() {
    this.socket.resume()
  }

  ref() {
    for (const layer of this.layers) layer.ref()
  }

  unref() {
    for (const layer of this.layers) layer.unref()
  }

  terminate() {
    for (const layer of this.layers) layer.destroy()
  }

  private end(error: Error | undefined) {
    if (this.over) return
    this.over = true
    this.data.ended(error)
  }
}
