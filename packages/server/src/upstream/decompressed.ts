import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { Fault } from './fault.ts'
import { piecesOf, type Reply } from './reply.ts'

const CODINGS: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** We request identity encoding, but some servers compress anyway. Each chunk is decompressed as it arrives. */
export const decompressed = (reply: Reply): Reply => {
  const coding = reply.headers.get('content-encoding')?.trim().toLowerCase()
  if (coding === undefined || coding === 'identity') return reply
  const create = CODINGS[coding]
  if (create === undefined) {
    reply.cancel()
    throw new Fault('an unknown content encoding')
  }
  // Each end propagates its failure to the other, and so to the reader.
  const unpack = pipeline(Readable.from(piecesOf(reply)), create(), () => {})
  const pieces: AsyncIterator<Buffer<ArrayBuffer>> = unpack[Symbol.asyncIterator]()
  return {
    status: reply.status,
    ok: reply.ok,
    headers: reply.headers,
    async read() {
      const { done, value } = await pieces.next()
      return done === true ? undefined : value
    },
    cancel: () => void unpack.destroy(),
  }
}
