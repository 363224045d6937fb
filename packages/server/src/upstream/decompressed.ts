import { pipeline, Readable } from 'node:stream'
import { decompressorOf } from '../common/content-codings.ts'
import { Fault } from './fault.ts'
import { piecesOf, type Reply } from './reply.ts'

/** We request identity encoding, but some servers compress anyway. Each chunk is decompressed as it arrives. */
export const decompressed = (reply: Reply): Reply => {
  const create = decompressorOf(reply.headers)
  if (create === undefined) return reply
  if (create === null) {
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
