import type { Mask } from './mask.ts'
import type { Bytes, Reply } from './reply.ts'

/**
 * A body that is passed on unchanged except for the channel's secrets. A possible start of one waits for the next chunk; nothing else
 * does. It works on bytes, whatever the content.
 */
export const maskedBody = (reply: Reply, mask: Mask): ReadableStream<Bytes> => {
  let waiting = ''
  const clean = (piece: Bytes | undefined) => {
    const text = mask.text(waiting + (piece === undefined ? '' : Buffer.from(piece).toString('latin1')))
    const from = piece === undefined ? text.length : beginningOf(mask.secrets(), text)
    waiting = text.slice(from)
    return Buffer.from(text.slice(0, from), 'latin1')
  }
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        for (;;) {
          const piece = await reply.read()
          const bytes = clean(piece)
          if (bytes.length > 0) controller.enqueue(bytes)
          if (piece === undefined) return controller.close()
          if (bytes.length > 0) return
        }
      },
      cancel: () => reply.cancel(),
    },
    { highWaterMark: 0 },
  )
}

/** Where an incomplete secret may start; the end of the text when there is none. */
function beginningOf(secrets: readonly string[], text: string) {
  let first = text.length
  for (const secret of secrets) {
    const start = secret.charAt(0)
    for (let at = text.indexOf(start, Math.max(0, text.length - secret.length + 1)); at >= 0 && at < first; ) {
      if (secret.startsWith(text.slice(at))) first = at
      at = text.indexOf(start, at + 1)
    }
  }
  return first
}
