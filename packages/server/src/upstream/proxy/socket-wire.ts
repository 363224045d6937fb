import type { Socket } from 'node:net'
import type { Listener, Wire } from '../http1/tcp-socket.ts'

const NOBODY: Listener = { arrived() {}, drained() {}, ended() {} }

/** Adapts a Node socket to the interface of the runtime's own. */
export class SocketWire implements Wire {
  data: Listener = NOBODY
  private over = false

  constructor(
    private readonly socket: Socket,
    /** The underlying sockets without TLS, from the outermost inwards. */
    private readonly layers: readonly Socket[],
  ) {
    socket.setNoDelay(true)
    // The runtime may reuse the buffer, so data that is read later has to be copied.
    socket.on('data', (bytes: Buffer) => this.data.arrived(Buffer.from(new Uint8Array(bytes).buffer)))
    socket.on('error', (error: Error) => this.end(error))
    socket.on('close', () => this.end(undefined))
    for (const layer of layers) if (layer !== socket) layer.on('close', () => socket.destroy())
  }

  /** Accepts everything, and buffers what was not sent yet. */
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
