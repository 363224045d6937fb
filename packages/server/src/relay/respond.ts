import { recordedStream } from '../recordings/recorded-stream.ts'
import type { CallTrace } from '../telemetry/call-trace.ts'
import type { Answer } from './answer.ts'
import { withOwnLimits } from './rate-limits/limit-headers.ts'
import type { ActiveCall, Charged } from './settlement.ts'
import { type StreamNeeds, streamAnswer } from './stream-answer.ts'
import { asJsonArray, wantsJsonArray } from './surfaces/json-array.ts'
import { relayHeaders } from './surfaces/render-error.ts'

type AnswerHeaders = Record<string, string>
type Streamed = Extract<Answer, { kind: 'stream' }>
type Complete = Extract<Answer, { kind: 'complete' }>

/** The vendor's headers that a client may see, and our own. */
export const answerHeaders = ({ context, call, requestedModel, pass }: ActiveCall, answer: Answer): AnswerHeaders => {
  const { family } = call.operation
  const vendorHeaders = pass === undefined ? answer.headers : withOwnLimits(answer.headers, pass.headers(family))
  return {
    ...vendorHeaders,
    ...relayHeaders(context.requestId, family),
    ...(call.model === requestedModel ? {} : { 'x-tollgate-model': headerText(call.model) }),
  }
}

/** Headers are ASCII: a name with other characters is percent-encoded, as in a URL. */
const headerText = (name: string) => (/^[\x20-\x7e]*$/.test(name) ? name : encodeURIComponent(name.toWellFormed()))

/** The call is settled when the stream ends. */
export const streamResponse = (
  request: Request,
  answer: Streamed,
  headers: AnswerHeaders,
  needs: Omit<StreamNeeds, 'showsCost'>,
) => {
  const { active, client } = needs
  const { operation } = active.call
  const { trace, recording } = active.context
  const { keepAlive } = operation.stream
  const showsCost = keepAlive !== undefined && !answer.bare && request.headers.get('x-tollgate-cost') === 'stream'
  const events = seenBy(trace, streamAnswer(answer, { ...needs, showsCost }))
  const isArray = wantsJsonArray(operation, request.url)
  const shown = isArray ? asJsonArray(events) : events
  const type = isArray ? 'application/json; charset=UTF-8' : answer.type
  // Bun accepts an async iterator as a body and ends it when the client disconnects; the DOM's types do not know
  // that.
  const body = (recording === undefined
    ? shown
    : recordedStream(shown, recording, { type, client })) as unknown as BodyInit
  // Without keep-alives, only the watchdog can tell a working vendor from a dead one.
  active.context.setIdleTimeout(keepAlive === undefined ? 0 : STREAM_IDLE_TIMEOUT_SEC)
  return new Response(body, { headers: { ...headers, ...STREAM_HEADERS, 'content-type': type } })
}

/** For a call that is settled. */
export const completeResponse = (
  { context }: ActiveCall,
  answer: Complete,
  headers: AnswerHeaders,
  charged: Charged,
) => {
  context.recording?.answered(answer.bytes, answer.type)
  context.recording?.end(200)
  return new Response(answer.bytes, {
    headers: { ...headers, ...costHeaders(charged), 'content-type': answer.type },
  })
}

/** The watchdog ends a silent vendor first; a client that reads nothing for this long is gone. */
const STREAM_IDLE_TIMEOUT_SEC = 120

const STREAM_HEADERS = { 'x-accel-buffering': 'no' }

const costHeaders = ({ cost, usage, source }: Charged) => ({
  'x-tollgate-cost': String(cost),
  'x-tollgate-usage': JSON.stringify(usage),
  'x-tollgate-cost-source': source,
})

/** The chunks, observed if the call is traced. */
function seenBy(trace: CallTrace | undefined, events: AsyncIterableIterator<Uint8Array>) {
  if (trace === undefined) return events
  const seen: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => seen,
    next: async () => {
      const next = await events.next()
      if (!next.done) trace.see(next.value)
      return next
    },
    return: () => events.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  }
  return seen
}
