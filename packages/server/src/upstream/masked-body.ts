import type { Mask } from './mask.ts'
import type { Bytes, Reply } from './reply.ts'

/**
 * A body that is handed on as it is, but for the channel's secrets. What may be the beginning of one waits for the next
 * piece; nothing else does. The bytes are looked at one by one, whatever they mean.
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

/** Where a secret may begin whose rest has not come yet; the end of the text where none does. */
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
