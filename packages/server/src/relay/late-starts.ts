import type { UpstreamFailure } from '@tollgate/providers'
import { eventsIn } from '../upstream/framing.ts'
import type { Quiet } from './quiet-times.ts'
import type { RequestContext } from './request-context.ts'
import type { Operation, StreamShape } from './surfaces/operation.ts'
import { relayHeaders } from './surfaces/render-error.ts'

interface LateCall {
  operation: Operation
  context: RequestContext
  /** The failure of the call, told to everybody who has to know of it. */
  refuse(error: unknown): Promise<UpstreamFailure>
}

export type LateStarts = ReturnType<typeof createLateStarts>

/**
 * Starts streams whose model is still thinking, with frames that say nothing of the answer. The call itself goes on unchanged: it may
 * still move to another channel or model. Only its status is sent by then, so that a failure is told inside the stream.
 */
export const createLateStarts = (quiet: Quiet) => {
  const started = (answering: Promise<Response>, { operation, context, refuse }: LateCall): Response => {
    const { stream, family } = operation
    const { keepAlive = '', opening } = stream
    async function* body() {
      const call = { id: context.requestId, model: context.call?.model ?? '' }
      yield encoder.encode((opening?.frame(call) ?? '') + keepAlive)
      while (await quiet(answering)) yield encoder.encode(keepAlive)
      try {
        yield* withoutOpening((await answering).body, opening)
      } catch (error) {
        yield encoder.encode(stream.failedFrame(await refuse(error)))
      }
    }
    // Bun accepts an async iterator as a body, which the DOM's types do not know.
    const events = body() as unknown as BodyInit
    return new Response(events, { headers: { ...relayHeaders(context.requestId, family), ...STREAM_HEADERS } })
  }

  return {
    /** The answer, or a stream that has started without it. */
    answerInTime(answering: Promise<Response>, late: LateCall): Promise<Response> {
      const { operation, context } = late
      if (operation.answers === undefined || operation.stream.keepAlive === undefined) return answering
      // A request may still be arriving.
      const mayStart = () => context.isHeld && context.call?.stream === true
      return quiet(answering, mayStart).then((isQuiet) => (isQuiet ? started(answering, late) : answering))
    },
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }

/** The answer without the event that was sent before it arrived. */
async function* withoutOpening(body: ReadableStream<Uint8Array> | null, opening: StreamShape['opening']) {
  let isOpened = opening === undefined
  for await (const chunk of body ?? []) {
    if (isOpened || opening === undefined) {
      yield chunk
      continue
    }
    const events = eventsIn(decoder.decode(chunk))
    isOpened = events.some(opening.isIt)
    const rest = events.filter((event) => !opening.isIt(event)).map(({ raw }) => raw)
    if (rest.length > 0) yield encoder.encode(rest.join(''))
  }
}
