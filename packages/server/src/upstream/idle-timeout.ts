import type { Bytes, Reply } from './reply.ts'

/**
 * A body that has begun and stops halfway ends by the idle timeout, like a stream. Blanks in front of it only say that
 * the vendor is at work, and after it a task may be followed, which takes as long as an answer may. Streams of events
 * are left alone: whoever passes their chunks on extends the deadline itself.
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
