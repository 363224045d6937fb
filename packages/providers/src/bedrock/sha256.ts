import { createHash, createHmac } from 'node:crypto'

type Data = string | ArrayBuffer | ArrayBufferView

/** The hash that the signing library asks for; with a key it is a keyed one. */
export class Sha256 {
  private readonly hash: { update(data: Uint8Array): unknown; digest(): Buffer }

  constructor(key?: Data) {
    this.hash = key === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(key))
  }

  update(data: Data) {
    this.hash.update(bytesOf(data))
  }

  async digest() {
    return new Uint8Array(this.hash.digest())
  }

  /** A hash is asked for once and never begun again, so nothing has to be forgotten. */
  reset() {}
}

function bytesOf(data: Data): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data)
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}
