import { once } from 'node:events'
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
export const unpacked = (reply: Reply): Reply => {
  const coding = reply.headers.get('content-encoding')?.trim().toLowerCase()
  if (coding === undefined || coding === 'identity') return reply
  const create = CODINGS[coding]
  if (create === undefined) throw new Fault('an unknown content encoding')
  const unpack = create()
  void feed(unpack, reply)
  const pieces: AsyncIterator<Buffer<ArrayBuffer>> = unpack[Symbol.asyncIterator]()
  return {
    status: reply.status,
    ok: reply.ok,
    headers: reply.headers,
    async read() {
      const { done, value } = await pieces.next()
      return done === true ? undefined : value
    },
    cancel() {
      reply.cancel()
      unpack.destroy()
    },
  }
}

async function feed(unpack: ReturnType<typeof createGunzip>, reply: Reply) {
  try {
    for await (const piece of piecesOf(reply)) {
      if (!unpack.write(piece)) await Promise.race([once(unpack, 'drain'), once(unpack, 'close')])
      if (unpack.destroyed) return
    }
    unpack.end()
  } catch (error) {
    unpack.destroy(error instanceof Error ? error : new Fault('failed'))
  }
}
