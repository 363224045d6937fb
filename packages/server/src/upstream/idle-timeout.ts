import type { Bytes, Reply } from './reply.ts'

/**
 * Applies the idle timeout to a body that stops halfway, as for a stream. Leading blanks only show that the vendor is working, and
 * afterwards a task may be polled, which takes as long as an answer may. Event streams are excluded: whoever forwards their chunks
 * extends the deadline.
 */
export const withIdleTimeout = (reply: Reply, deadline: { extend(): void; reopen(): void }): Reply => {
  if (reply.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true) return reply
  let begun = false
  const note = (piece: Bytes | undefined) => {
    begun ||= piece !== undefined && !isBlank(piece)
    if (begun && piece !== undefined) deadline.extend()
    else deadline.reopen()
    return piece
  }
  return {
    status: reply.status,
    ok: reply.ok,
    headers: reply.headers,
    read: () => reply.read().then(note),
    cancel: () => reply.cancel(),
  }
}

const BLANK_MAX = 64
const SPACE = 32

const isBlank = (piece: Bytes) => piece.length <= BLANK_MAX && piece.every((byte) => byte <= SPACE)
