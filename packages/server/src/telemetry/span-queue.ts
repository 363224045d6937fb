import type { Span } from './otlp-json.ts'

/** The queue limit; above it spans are dropped and counted, because a call must not wait for a collector. */
const WAITING_MAX = 2048
const BATCH_MAX = 512

interface Needs {
  send(spans: readonly Span[]): Promise<number>
  everyMs: number
}

/** Collects spans and sends them in batches, one at a time. */
export const createSpanQueue = ({ send, everyMs }: Needs) => {
  let waiting: Span[] = []
  let sending: Promise<void> | undefined
  let dropped = 0

  const sendAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX)
      waiting = waiting.slice(BATCH_MAX)
      const taken = await send(batch)
      dropped += batch.length - taken
    }
  }

  const flush = (): Promise<void> => {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }

  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()

  return {
    add(span: Span) {
      if (waiting.length >= WAITING_MAX) {
        dropped++
        return
      }
      waiting.push(span)
      if (waiting.length === BATCH_MAX) void flush()
    },
    dropped: () => dropped,
    flush,
    stop: () => clearInterval(timer),
  }
}
