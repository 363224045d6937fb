import { failureOf, readOpenAiUsage, type Usage, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { createEventCutter } from '../upstream/framing.ts'
import type { Errand } from '../upstream/open.ts'
import type { Call } from './call.ts'
import { createStreamMeter, type StreamMeter } from './meter.ts'

/** A vendor's answer: all of it, or a stream of which the first events have been looked at. */
export type Answer =
  | { kind: 'whole'; bytes: Uint8Array<ArrayBuffer>; type: string; usage: Usage | undefined }
  | { kind: 'stream'; type: string; pieces: AsyncGenerator<Piece>; meter: StreamMeter }

/** Something for the client; `ending` is what must wait until the charge is durable. */
export interface Piece {
  bytes: Uint8Array
  ending: string | undefined
}

export const upstreamModel = (call: Call, route: Route) => route.mapping.get(call.model) ?? call.model

export const canPass = (call: Call, { provider, access }: Route) =>
  provider?.openai?.url(call.operation.name, access, call.model) !== undefined

/**
 * The lane for vendors that speak the caller's dialect: the body goes up and the answer comes down as they are, and
 * only the meter looks inside.
 */
export const passLane = (call: Call): Errand<Answer> => ({
  request({ provider, access, ...route }) {
    const model = route.mapping.get(call.model) ?? call.model
    const url = provider?.openai?.url(call.operation.name, access, model)
    if (provider?.openai === undefined || url === undefined) throw new VendorError(failureOf('client', 'Not supported'))
    const body = call.upstreamBody(model)
    const headers = provider.openai.headers(access)
    // A form brings its own boundary, which only the one who sends it can name.
    return { method: 'POST', url, body, headers: typeof body === 'string' ? { ...headers, ...JSON_TYPE } : headers }
  },

  async accept(response) {
    const type = response.headers.get('content-type') ?? 'application/json'
    if (call.stream && type.startsWith('text/event-stream') && response.body !== null) {
      return acceptStream(response.body, type, call)
    }
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (call.operation.answer === 'bytes' || !type.includes('json'))
      return { kind: 'whole', bytes, type, usage: undefined }
    return { kind: 'whole', bytes, type, usage: usageOf(bytes) }
  },
})

const JSON_TYPE = { 'content-type': 'application/json' }

/** Some vendors report an error with status 200; that is no answer, and another channel may have one. */
function usageOf(bytes: Uint8Array) {
  const body = parsed(bytes)
  if (
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    body.error !== null &&
    !('choices' in body) &&
    !('output' in body)
  ) {
    throw new VendorError(embedded(body.error))
  }
  return readOpenAiUsage(body)
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new VendorError(failureOf('server', 'The upstream answered with something that is not JSON', { status: 502 }))
  }
}

function embedded(error: unknown) {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
  return failureOf('server', message, { status: 502 })
}

/** Reads up to the first event: a stream that begins with an error can still be tried elsewhere. */
async function acceptStream(body: ReadableStream<Uint8Array>, type: string, call: Call): Promise<Answer> {
  const meter = createStreamMeter({ hideUsage: !call.wantsUsage })
  const pieces = read(body, meter)
  const first = await pieces.next()
  return { kind: 'stream', type, meter, pieces: resumed(first, pieces) }
}

async function* resumed(first: IteratorResult<Piece>, rest: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  try {
    if (!first.done) yield first.value
    if (!first.done) yield* rest
  } finally {
    await rest.return(undefined)
  }
}

async function* read(body: ReadableStream<Uint8Array>, meter: StreamMeter): AsyncGenerator<Piece> {
  const cutter = createEventCutter()
  for await (const chunk of body) {
    const events = cutter.push(chunk)
    if (events.length > 0) yield metered(events, meter)
  }
  const rest = cutter.rest()
  if (rest.length > 0) yield metered(rest, meter)
}

function metered(events: Uint8Array, meter: StreamMeter): Piece {
  const { bytes, ending, error } = meter.read(events)
  if (error !== undefined) throw new VendorError(embedded(errorIn(error)))
  return { bytes, ending }
}

function errorIn(data: string): unknown {
  const body: unknown = JSON.parse(data)
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : data
}
