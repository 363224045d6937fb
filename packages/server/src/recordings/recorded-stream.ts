import type { RecordedCall } from './recorded-call.ts'

type Body = AsyncIterableIterator<Uint8Array>

/** Copies the chunks of an answer on their way to the caller. When the client disconnects, it has received what was copied. */
export const recordedStream = (events: Body, recording: RecordedCall, { type, client }: Passing): Body => {
  recording.streams(type)
  const end = () => recording.end(200)
  if (client.aborted) end()
  else client.addEventListener('abort', end, { once: true })

  const passed = (next: IteratorResult<Uint8Array>) => {
    if (next.done) end()
    else recording.piece(next.value)
    return next
  }

  const broken = (error: unknown) => {
    end()
    throw error
  }

  const body: Body = {
    [Symbol.asyncIterator]: () => body,
    next: () => events.next().then(passed, broken),
    return() {
      end()
      return events.return?.() ?? Promise.resolve({ done: true, value: undefined })
    },
  }
  return body
}

interface Passing {
  type: string
  client: AbortSignal
}
