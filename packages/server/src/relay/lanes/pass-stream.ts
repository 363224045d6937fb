import {
  brokenFinish,
  embeddedError,
  failureOf,
  jsonOrUndefined,
  type UpstreamFailure,
  VendorError,
} from '@tollgate/providers'
import { completeEvent, createEventCutter } from '../../upstream/framing.ts'
import type { Bytes, Reply } from '../../upstream/reply.ts'
import { type Answer, type AnswerChunk, FIRST_CHUNK, isEmpty, resumed } from '../answer.ts'
import { createStreamMeter, type StreamMeter } from '../meter/meter.ts'
import { BYTES_PER_TOKEN } from '../meter/response-text.ts'
import { createEventQueue } from './event-queue.ts'
import { isObject, noResponse, type PassedCall } from './passed-call.ts'
import { passRefusal } from './refused-answers.ts'
import { onlyJson, repairEach, withAssistantRole } from './repair-events.ts'
import { strictMessageEvents, withStrictEvents } from './strict-events.ts'
import { withStrictToolCalls } from './strict-tool-calls.ts'

export const STREAM_TYPE = 'text/event-stream'

const NOTHING = new Uint8Array(0)
const decoder = new TextDecoder()

/** Reads up to the first event: a stream that starts with an error can still be tried elsewhere. */
export async function acceptStream(reply: Reply, passed: PassedCall): Promise<Answer> {
  const { call, mask, refusals } = passed
  const hideUsage = call.operation.usage.onRequest === true && !call.wantsUsage
  const meter = createStreamMeter(call.operation, { hideUsage })
  const { next, errorEvent } = chunksOf(reply, meter, repairEvents(passed))
  const first = await next(FIRST_CHUNK)
  if (first === undefined || (first.ending !== undefined && isEmpty(meter))) {
    throw new VendorError(failureOf('server', 'The upstream sent nothing'))
  }
  if (call.operation.name === 'responses' && decoder.decode(first.bytes).includes('"chat.completion'))
    throw noResponse()
  const all = resumed(first, next)
  const shown = refusals === undefined ? all : await passRefusal(call, all, refusals)
  // The vendor's message about its own failure says more than ours.
  const failed = (failure: UpstreamFailure) => mask.text(errorEvent() ?? call.operation.stream.failedFrame(failure))
  return { kind: 'stream', type: STREAM_TYPE, meter, next: shown, mask, failed }
}

/** The repairs of stream events for strict clients. */
function repairEvents({ call, repair }: PassedCall): (events: Uint8Array) => Uint8Array {
  if (call.operation.stream.keepAlive === undefined) return onlyJson
  const { name } = call.operation
  const complete = name === 'chat/completions' ? withStrictEvents() : name === 'messages' ? strictMessageEvents : asIs
  if (repair !== undefined) return (events) => repairEach(complete(events), repair)
  if (name !== 'chat/completions') return complete
  const named = withAssistantRole()
  const strict = withStrictToolCalls()
  return (events) => strict(named(complete(events)))
}

const asIs = (events: Uint8Array) => events

/** The stream in chunks of whole events, metered and repaired; `errorEvent` is the vendor's own event about its failure. */
function chunksOf(reply: Reply, meter: StreamMeter, repairBytes: (events: Uint8Array) => Uint8Array) {
  const cutter = createEventCutter()
  const queue = createEventQueue()
  let outputMax = 0
  let over = false
  let failure: { error: Error; raw: string } | undefined
  /** Undefined when no event is complete, or only an error arrived. */
  const toChunk = (arrived: Bytes | undefined): AnswerChunk | undefined => {
    const events = arrived === undefined ? completeEvent(cutter.rest()) : cutter.push(arrived)
    over = arrived === undefined
    if (events.length === 0) return undefined
    queue.put(repairBytes(events))
    return fromQueue()
  }
  const fromQueue = (): AnswerChunk | undefined => {
    const piece = meter.read(queue.take((outputMax - meter.counted()) * BYTES_PER_TOKEN))
    if (piece.error === undefined) return piece
    over = true
    queue.put(NOTHING)
    failure = { error: errorInEvent(piece.error.data), raw: piece.error.raw }
    // Output before the error belongs to the client. Without any, nothing is lost and another channel may be tried.
    return piece.bytes.length > 0 && meter.hasContent() ? { bytes: piece.bytes, ending: undefined } : undefined
  }
  const readNext = async (): Promise<AnswerChunk | undefined> => {
    while (!(over && queue.isEmpty())) {
      const piece = queue.isEmpty() ? toChunk(await reply.read()) : fromQueue()
      if (piece !== undefined) return piece
    }
    if (failure !== undefined) throw failure.error
    return undefined
  }
  const onChunk = (arrived: Bytes | undefined) => toChunk(arrived) ?? readNext()
  // Nearly always one chunk of the vendor's; an async function would cost each of them two more promises.
  const next = (most: number) => {
    outputMax = most
    return over || !queue.isEmpty() ? readNext() : reply.read().then(onChunk)
  }
  return { next, errorEvent: () => failure?.raw }
}

function errorInEvent(data: string) {
  const fields = fieldsIn(data)
  const [choice]: unknown[] = Array.isArray(fields.choices) ? fields.choices : []
  const stopped = isObject(choice) && fields.error == null ? brokenFinish(choice) : undefined
  if (stopped !== undefined) return stopped
  const response = isObject(fields.response) ? fields.response : fields
  return (
    embeddedError('error' in response ? response : { error: response }) ?? new VendorError(failureOf('server', data))
  )
}

/** An event that is an error by its name may contain plain text. */
function fieldsIn(data: string): Record<string, unknown> {
  const body = jsonOrUndefined(data)
  return isObject(body) ? body : { message: data }
}
