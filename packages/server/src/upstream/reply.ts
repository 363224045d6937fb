import { Fault } from './fault.ts'
import type { HeaderLines } from './http1/header-lines.ts'

/** Not shared with another thread. */
export type Bytes = Uint8Array<ArrayBuffer>

/** A server's answer with its head. The body must be read or cancelled: until then it occupies its connection. */
export interface Reply {
  readonly status: number
  readonly ok: boolean
  readonly headers: HeaderLines
  /** The next chunk of the body; undefined after the last. One call at a time. */
  read(): Promise<Bytes | undefined>
  /** Discards the rest. */
  cancel(): void
}

/** The body in chunks; leaving the loop early cancels the rest. */
export async function* piecesOf(reply: Reply): AsyncGenerator<Bytes> {
  try {
    for (let piece = await reply.read(); piece !== undefined; piece = await reply.read()) yield piece
  } finally {
    reply.cancel()
  }
}

/** The whole body of an answer that is not a stream. Images are the longest; anything much longer is no answer. */
export async function readBytes(reply: Reply): Promise<Bytes> {
  const bytes = await readUpTo(reply, ANSWER_MAX)
  if (bytes === undefined) throw new Fault('an endless answer')
  return bytes
}

const ANSWER_MAX = 128 * 1024 * 1024

/** The whole body; undefined as soon as it exceeds the limit. Decompressed bytes count. */
async function readUpTo(reply: Reply, maxBytes: number): Promise<Bytes | undefined> {
  const first = await reply.read()
  if (first === undefined) return NOTHING
  const pieces = [first]
  let size = first.byteLength
  for (let piece = await reply.read(); piece !== undefined && size <= maxBytes; piece = await reply.read()) {
    pieces.push(piece)
    size += piece.byteLength
  }
  if (size <= maxBytes) return pieces.length === 1 ? first : Buffer.concat(pieces)
  reply.cancel()
  return undefined
}

export const readText = async (reply: Reply, maxBytes: number): Promise<string | undefined> => {
  const bytes = await readUpTo(reply, maxBytes)
  return bytes === undefined ? undefined : decoder.decode(bytes)
}

export const readJson = async (reply: Reply): Promise<unknown> => JSON.parse(decoder.decode(await readBytes(reply)))

/** Wraps a `Response`. */
export const asReply = ({ status, ok, headers, body }: Response): Reply => {
  const reader = body?.getReader()
  return {
    ...{ status, ok, headers },
    read: async () => (await reader?.read())?.value,
    // A failed body needs no cancelling.
    cancel: () => void reader?.cancel().catch(() => {}),
  }
}

const NOTHING = new Uint8Array(0)
const decoder = new TextDecoder()
