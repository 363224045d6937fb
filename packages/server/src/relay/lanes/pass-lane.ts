import {
  brokenFinish,
  embeddedError,
  failureOf,
  jsonOrUndefined,
  mayHaveForeignSignature,
  NO_USAGE,
  type UpstreamFailure,
  VendorError,
  withoutForeignSignatures,
} from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import { asServerEvents, isAmazonStream } from '../../upstream/amazon-events.ts'
import { completeEvent, createEventCutter } from '../../upstream/framing.ts'
import type { Mask } from '../../upstream/mask.ts'
import type { UpstreamCall } from '../../upstream/open.ts'
import { asReply, type Bytes, type Reply, readBytes } from '../../upstream/reply.ts'
import { type Answer, type AnswerChunk, FIRST_CHUNK, isEmpty, resumed, upstreamModel } from '../answer.ts'
import { createStreamMeter, type StreamMeter } from '../meter/meter.ts'
import { hasInvalidUsage, type Reported } from '../meter/plausible-usage.ts'
import { BYTES_PER_TOKEN } from '../meter/response-text.ts'
import { createSpeechMeter } from '../meter/speech-meter.ts'
import { headersForVendor } from '../surfaces/agent-session.ts'
import type { Call } from '../surfaces/call.ts'
import { refuseTooDeep } from '../surfaces/nesting.ts'
import type { Address } from '../surfaces/operation.ts'
import { createEventQueue } from './event-queue.ts'
import type { LaneNeeds } from './lane-needs.ts'
import { onlyJson, type Repair, repairEach, withAssistantRole } from './repair-events.ts'
import { responseAsStream } from './response-as-stream.ts'
import { withToolCallIndexes } from './tool-call-indexes.ts'
import { inRequestedEncoding } from './vectors.ts'
import { vendorHeaders } from './vendor-headers.ts'

/**
 * The lane for vendors that speak the caller's dialect: request and answer pass unchanged, and only the meter reads them.
 */
export const passLane = (call: Call, needs: Pick<LaneNeeds, 'clock'>): UpstreamCall<Answer> => {
  const { request, accept } = unmarkedLane(call, needs)
  return {
    request,
    accept(reply, route, signal, mask) {
      const answer = accept(reply, route, signal, mask)
      const parameters = refusedMembers(call, route)
      return parameters.length === 0
        ? answer
        : answer.then((given) => ({ ...given, dropped: { tools: [], parameters } }))
    },
  }
}

/** Requested members that the vendor would refuse, or must not see: they are dropped and logged. */
const refusedMembers = (call: Call, route: Route): readonly string[] => {
  const { provider } = route
  if (provider === undefined) return []
  const without = call.operation.native.without?.(provider, upstreamModel(call, route), call.body) ?? []
  const refused = without.filter((name) => name in call.body)
  return isUnstoppable(call) ? [...refused, 'background'] : refused
}

/** In the background a vendor completes, and bills, a streamed response whose client has long left and pays for less. */
const isUnstoppable = ({ operation, stream, body }: Call) =>
  stream && operation.name === 'responses' && body.background === true

const unmarkedLane = (call: Call, { clock }: Pick<LaneNeeds, 'clock'>): UpstreamCall<Answer> => ({
  request(route, access) {
    const model = upstreamModel(call, route)
    const address = route.provider && call.operation.native.address(route.provider, access, model, call.stream)
    if (address === undefined) throw new VendorError(failureOf('client', 'This channel does not offer the call'))
    const { streamOptions } = address
    const sent = { ...(streamOptions === undefined ? {} : { streamOptions }), without: refusedMembers(call, route) }
    const body = amended(withoutOtherSignatures(call.upstreamBody(model, sent), call, route), call, address)
    const { url } = address
    const agent = call.agent && route.provider && headersForVendor(call.agent, call.operation.family, route.provider)
    const headers = { ...address.headers, ...call.headers, ...agent }
    // A form has a boundary of its own, which only the sender can name.
    const request = {
      ...{ method: 'POST' as const, url, body },
      headers: typeof body === 'string' ? { ...JSON_TYPE, ...headers } : headers,
    }
    return address.finish?.(request, clock.now()) ?? request
  },

  async accept(reply, route, _signal, mask) {
    const repair = route.provider === undefined ? undefined : call.operation.native.repair?.(route.provider)
    const type = reply.headers.get('content-type') ?? 'application/json'
    const headers = vendorHeaders(reply.headers)
    const kind = type.toLowerCase()
    const passed = { call, repair, mask }
    if (call.stream && isAmazonStream(kind)) {
      return { ...(await acceptStream(asServerEvents(reply), passed)), headers }
    }
    if (call.stream && isStream(kind, call)) return { ...(await acceptStream(reply, passed)), headers }
    if (isSpeech(call, kind)) return { ...(await acceptSpeech(reply, passed, type)), headers }
    const bytes = await readBytes(reply)
    if (kind.startsWith('text/html')) throw notJson()
    if (!kind.includes('json') && mayBePlain(call)) {
      // It is not checked for errors, so a vendor's error text passes as if it were the transcript.
      return {
        kind: 'complete',
        bytes: kind.startsWith('text/') ? masked(bytes, mask) : bytes,
        type,
        usage: undefined,
        headers,
      }
    }
    const body = parsed(bytes)
    if (!isObject(body)) throw notJson()
    if (call.operation.name === 'responses' && 'choices' in body) throw noResponse()
    const usage = usageIn(body, call)
    // What was billed is an answer, whatever it looks like.
    if (usage === undefined && call.operation.isAnswer?.(body) === false) throw noAnswer(body)
    const serviceTier = call.operation.usage.readServiceTier(body)
    const imageUsage = call.operation.usage.readImages?.(body)
    const advisors = call.operation.usage.readAdvisors?.(body)
    const stream = call.stream ? responseAsStream(call.operation.name, body) : undefined
    if (stream !== undefined) return { ...(await acceptStream(asReply(new Response(stream)), passed)), headers }
    const shown = readable(body, passed)
    const answered = shown === undefined ? bytes : encoder.encode(JSON.stringify(shown))
    return { kind: 'complete', bytes: answered, type, usage, serviceTier, imageUsage, advisors, headers }
  },
})

/** Only text that contains a secret is rewritten: it may be in another encoding. */
function masked(bytes: Uint8Array<ArrayBuffer>, mask: Mask) {
  const text = decoder.decode(bytes)
  const shown = mask.text(text)
  return shown === text ? bytes : encoder.encode(shown)
}

/** Reasoning signed by another vendor's model is removed. */
const withoutOtherSignatures = (body: string | FormData, call: Call, { provider }: Route) => {
  const isConversation = (call.operation.dialect ?? call.operation.countBody) !== undefined
  const signer = call.operation.name === 'responses' ? provider?.openai?.signer : undefined
  if (typeof body !== 'string' || !isConversation || !mayHaveForeignSignature(body, signer)) return body
  refuseTooDeep(call.body)
  return JSON.stringify(withoutForeignSignatures(JSON.parse(body), signer))
}

const amended = (body: string | FormData, call: Call, { amend }: Address) => {
  if (typeof body !== 'string' || amend === undefined) return body
  refuseTooDeep(call.body)
  return amend(body)
}

const JSON_TYPE = { 'content-type': 'application/json' }
const NOTHING = new Uint8Array(0)
const decoder = new TextDecoder()
const encoder = new TextEncoder()

const STREAM_TYPE = 'text/event-stream'

/** Some vendors label their streams only as text. */
const isStream = (type: string, call: Call) =>
  type.startsWith(STREAM_TYPE) || (type.startsWith('text/plain') && !mayBePlain(call))

/** Audio, and transcripts in subtitle formats. */
const mayBePlain = ({ operation }: Call) => operation.answer === 'bytes' || operation.name.startsWith('audio/trans')

/** Speech is streamed: as raw audio, or as events that contain it and report usage at the end. */
const isSpeech = ({ operation }: Call, kind: string) => operation.name === 'audio/speech' && !/json|html/.test(kind)

async function acceptSpeech(reply: Reply, passed: Passed, type: string): Promise<Answer> {
  if (type.toLowerCase().startsWith(STREAM_TYPE)) return acceptStream(reply, passed)
  const meter = createSpeechMeter(passed.call.body.response_format ?? 'mp3')
  const next = async (): Promise<AnswerChunk | undefined> => {
    const bytes = await reply.read()
    if (bytes === undefined) return undefined
    meter.read(bytes)
    return { bytes, ending: undefined }
  }
  const first = await next()
  if (first === undefined) throw new VendorError(failureOf('server', 'The upstream sent nothing'))
  return { kind: 'stream', type, meter, next: resumed(first, next), mask: passed.mask, failed: () => '', bare: true }
}

function usageIn(body: Record<string, unknown>, { operation }: Call): Reported | undefined {
  const error = errorIn(body)
  if (error !== undefined) throw error
  if (hasInvalidUsage(body)) return 'implausible'
  const usage = operation.usage.read(body)
  return usage === undefined ? undefined : { ...NO_USAGE, ...usage }
}

/** Some vendors report an error with status 200; that is no answer, and another channel may have one. */
function errorIn(body: Record<string, unknown>): Error | undefined {
  if (body.status === 'failed') return embeddedError(body)
  if ('output' in body) return undefined
  const [choice]: unknown[] = Array.isArray(body.choices) ? body.choices : []
  if (choice === undefined) return embeddedError(body)
  return isObject(choice) ? brokenFinish(choice) : undefined
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw notJson()
  }
}

/** Behind some base URLs every path leads to chats. */
const noResponse = () =>
  new VendorError(failureOf('client', 'The upstream answered with a chat', { status: 404, code: 'unknown_url' }))

/** Its own words, if it has any, say more than ours. */
const noAnswer = ({ message, msg }: Record<string, unknown>) =>
  new VendorError(
    failureOf('server', [message, msg].find(isWords) ?? 'The upstream sent a malformed answer', {
      code: 'malformed_answer',
    }),
  )

const isWords = (value: unknown): value is string => typeof value === 'string' && value !== ''

function notJson() {
  return new VendorError(failureOf('server', 'The upstream answered with something that is not JSON', { status: 502 }))
}

interface Passed {
  call: Call
  mask: Mask
  repair: Repair | undefined
}

/** A whole answer as a strict client can read it; undefined when it already is. */
function readable(body: Record<string, unknown>, { call, repair }: Passed): unknown {
  if (call.operation.name === 'embeddings') {
    const shown = inRequestedEncoding(call.body, body)
    return shown === body ? undefined : shown
  }
  repair?.(body)
  return repair && body
}

/** The repairs of stream events for strict clients. */
function repairEvents({ call, repair }: Passed): (events: Uint8Array) => Uint8Array {
  if (call.operation.stream.keepAlive === undefined) return onlyJson
  if (repair !== undefined) return (events) => repairEach(events, repair)
  if (call.operation.name !== 'chat/completions') return (events) => events
  const named = withAssistantRole()
  const numbered = withToolCallIndexes()
  return (events) => numbered(named(events))
}

/** Reads up to the first event: a stream that starts with an error can still be tried elsewhere. */
async function acceptStream(reply: Reply, passed: Passed): Promise<Answer> {
  const { call, mask } = passed
  const hideUsage = call.operation.usage.onRequest === true && !call.wantsUsage
  const meter = createStreamMeter(call.operation, { hideUsage })
  const { next, errorEvent } = chunksOf(reply, meter, repairEvents(passed))
  const first = await next(FIRST_CHUNK)
  if (first === undefined || (first.ending !== undefined && isEmpty(meter))) {
    throw new VendorError(failureOf('server', 'The upstream sent nothing'))
  }
  if (call.operation.name === 'responses' && decoder.decode(first.bytes).includes('"chat.completion'))
    throw noResponse()
  // The vendor's message about its own failure says more than ours.
  const failed = (failure: UpstreamFailure) => mask.text(errorEvent() ?? call.operation.stream.failedFrame(failure))
  return { kind: 'stream', type: STREAM_TYPE, meter, next: resumed(first, next), mask, failed }
}

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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
