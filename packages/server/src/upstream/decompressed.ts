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

/** We ask for plain bodies; some servers send packed ones all the same. Each piece is unpacked as it comes. */
export const decompressed = (reply: Reply): Reply => {
  const coding = reply.headers.get('content-encoding')?.trim().toLowerCase()
  if (coding === undefined || coding === 'identity') return reply
  const create = CODINGS[coding]
  if (create === undefined) {
    reply.cancel()
    throw new Fault('an unknown content encoding')
  }
  // Each end tells the other of its failure; whoever reads hears of it.
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
