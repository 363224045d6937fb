import { createHash, createHmac } from 'node:crypto'

type Data = string | ArrayBuffer | ArrayBufferView

/** The hash interface that the signing library expects; HMAC when given a key. */
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

  /** Each instance is used once, so there is nothing to reset. */
  reset() {}
}

function bytesOf(data: Data): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data)
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}
