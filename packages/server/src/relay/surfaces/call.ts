import { pipeline, Readable, type Transform } from 'node:stream'
import { z } from 'zod'
import { bodyFailure } from '../../common/body-failure.ts'
import { boundedBody, CALL_BODY_MAX } from '../../common/bounded-body.ts'
import { decompressorOf } from '../../common/content-codings.ts'
import { GatewayError } from '../../common/errors.ts'
import { isTooDeep } from '../../common/too-deep.ts'
import { hasTooManyStrings } from '../../common/too-many-strings.ts'
import type { RecordedCall } from '../../recordings/recorded-call.ts'
import type { FilesAt } from '../files-at.ts'
import { audioSeconds } from '../meter/audio-length.ts'
import { type AgentSession, readAgentSession } from './agent-session.ts'
import { type ChatLibrary, chatLibrary } from './chat-library.ts'
import { formOf } from './form-body.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { Operation, PathHints } from './operation.ts'
import { ambiguityOf, insertMember, removeMember, replaceMember } from './splice.ts'

/** The part of a call that determines who can answer it. */
export type RoutedCall = Pick<Call, 'operation' | 'model'>

/** A client's request, parsed as far as the relay needs it. The rest is passed upstream unparsed. */
export interface Call {
  operation: Operation
  /** By the name the client used. */
  model: string
  stream: boolean
  /** The client wants the usage chunk of a stream; otherwise we add it and remove it again. */
  wantsUsage: boolean
  body: CallBody
  form: FormData | undefined
  /** Duration of the recording in the form; 0 for none. */
  audioSeconds: number
  /** The body for the vendor: model name replaced if mapped, usage requested, some members removed. */
  upstreamBody(model: string, sent?: { streamOptions?: boolean; without?: readonly string[] }): string | FormData
  /** The client library's headers for the vendor. */
  headers: Record<string, string>
  /** The agent's session. */
  agent?: AgentSession
  /** The uploaded files to which it refers: only their channel can answer it. */
  stored?: FilesAt
  /** The caller reads the end of a stream as this library's vendor sends it. */
  library?: ChatLibrary | undefined
}

const TOKENS_MAX = 1_048_576
const MODEL_MAX = 256

const copies = z.int().min(1).max(128)
const positive = z.int().min(0).max(TOKENS_MAX)

/** Google accepts either spelling of every member. */
const Generation = z
  .looseObject({
    maxOutputTokens: positive.nullish(),
    max_output_tokens: positive.nullish(),
    candidateCount: copies.nullish(),
    candidate_count: copies.nullish(),
  })
  .nullish()

/** Bounds of everything a price is multiplied with; all else is judged by the vendor. */
const Body = z.looseObject({
  model: z.string().min(1).max(MODEL_MAX).optional(),
  stream: z.boolean().nullish(),
  n: copies.nullish(),
  best_of: copies.nullish(),
  max_tokens: positive.nullish(),
  max_completion_tokens: positive.nullish(),
  max_output_tokens: positive.nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  /** Decides how the call is billed. A boolean for responses, a string for images. */
  background: z.unknown().optional(),
  generationConfig: Generation,
  generation_config: Generation,
})

const DEEP = 'too many levels'
const MANY = 'too many members'
const READ_HERE = Object.keys(Body.shape)
const isAmbiguous = ambiguityOf(READ_HERE)

export type CallBody = z.infer<typeof Body>

export const readCall = async (
  request: Request,
  operation: Operation,
  hints: PathHints,
  recording?: RecordedCall,
): Promise<Call> =>
  operation.body === 'form' ? readForm(request, operation, recording) : readJson(request, operation, hints, recording)

/** A call inside another body, such as a line of a batch. It is sent as it was read. */
export const callOf = (operation: Operation, value: unknown): Call => {
  const body = checked(value)
  return {
    ...{ operation, body, model: modelOf(body.model, operation), stream: body.stream === true, wantsUsage: true },
    ...{ form: undefined, audioSeconds: 0, headers: {} },
    upstreamBody: (model) => JSON.stringify({ ...body, model }),
  }
}

/** The JSON of a request. */
export const parsedJson = (text: string, stringsMax?: number): unknown => {
  if (hasTooManyStrings(text, stringsMax)) throw new GatewayError('relay.bad_body', { reason: MANY })
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError('relay.bad_body', { reason: 'JSON' })
  }
}

async function readJson(
  request: Request,
  operation: Operation,
  hints: PathHints,
  recording: RecordedCall | undefined,
): Promise<Call> {
  const received = await readText(request)
  recording?.received(received)
  const body = checked(parsedJson(received))
  // Otherwise the vendor could answer another call than the one that is authorised, held and charged here.
  const isUnclear = isAmbiguous(received, body)
  if ((isUnclear || hints.model !== undefined) && isTooDeep(body))
    throw new GatewayError('relay.bad_body', { reason: DEEP })
  const text = isUnclear ? JSON.stringify(body) : received
  const stream = hints.stream ?? body.stream === true
  const requestsUsage = body.stream_options?.include_usage === true
  const asksUsage = stream && !requestsUsage && operation.usage.onRequest === true
  const isChat = operation.name === 'chat/completions'
  const library = isChat && stream && body.stream_options == null ? chatLibrary(request) : undefined
  return {
    operation,
    model: hints.model ?? modelOf(body.model, operation),
    stream,
    wantsUsage: requestsUsage || library !== undefined,
    body: library === undefined ? body : { ...body, stream_options: { include_usage: true } },
    library,
    form: undefined,
    audioSeconds: 0,
    headers: forwardedHeaders(request.headers, operation.forwardedHeaders ?? []),
    agent: readAgentSession(request.headers, body),
    upstreamBody(model, { streamOptions = true, without = [] } = {}) {
      if (hints.model !== undefined) return hints.model === model ? text : renamed(text, body, model)
      const kept = without.reduce(removeMember, text)
      const named =
        body.model === model ? kept : (replaceMember(kept, 'model', model) ?? insertMember(kept, 'model', model))
      if (!streamOptions) return removeMember(named, 'stream_options')
      if (!asksUsage) return named
      const options = { ...body.stream_options, include_usage: true }
      return replaceMember(named, 'stream_options', options) ?? insertMember(named, 'stream_options', options)
    },
  }
}

async function readForm(request: Request, operation: Operation, recording: RecordedCall | undefined): Promise<Call> {
  const form = await formOf(request)
  recording?.received(form)
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  // Of duplicate fields the first counts here, and so it must for the vendor.
  for (const name of READ_HERE) {
    const value = form.get(name)
    if (value !== null && form.getAll(name).length > 1) form.set(name, value)
  }
  const body = checked({
    ...(text('model') === undefined ? {} : { model: text('model') }),
    stream: text('stream') === 'true',
    ...(text('n') === undefined ? {} : { n: Number(text('n')) }),
    prompt: text('prompt'),
  })
  return {
    operation,
    model: modelOf(body.model, operation),
    stream: body.stream === true,
    wantsUsage: true,
    body,
    form,
    audioSeconds: await secondsIn(form),
    headers: forwardedHeaders(request.headers, operation.forwardedHeaders ?? []),
    upstreamBody(model) {
      form.set('model', model)
      return form
    },
  }
}

async function secondsIn(form: FormData) {
  const file = form.get('file')
  return file instanceof Blob ? audioSeconds(file) : 0
}

/** When the path names the model, a body may name it again: Google's embeddings do. */
function renamed(text: string, body: CallBody, model: string) {
  if (body.model === undefined && !Array.isArray(body.requests)) return text
  const named = (value: object) => ('model' in value ? { ...value, model: `models/${model}` } : value)
  const requests = Array.isArray(body.requests) ? { requests: body.requests.map(named) } : {}
  return JSON.stringify({ ...named(body), ...requests })
}

function checked(value: unknown): CallBody {
  const result = Body.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new GatewayError('relay.bad_body', { reason: `${issue?.path.join('.') || 'body'}: ${issue?.message}` })
}

function modelOf(named: string | undefined, operation: Operation) {
  const model = named ?? operation.defaultModel
  if (model === undefined) throw new GatewayError('relay.no_model')
  return model
}

/** The body's text, decompressed if necessary, within the size limit. */
async function readText(request: Request) {
  const body = boundedBody(request)
  const create = decompressorOf(request.headers)
  if (create === undefined) return body.text().catch(refuse)
  if (create === null || body.body === null) throw badEncoding(request)
  return inflated(body.body, create()).catch((error) => {
    const failure = bodyFailure(error)
    throw failure instanceof GatewayError ? failure : badEncoding(request)
  })
}

const refuse = (error: unknown): never => {
  throw bodyFailure(error)
}

const badEncoding = ({ headers }: Request) =>
  new GatewayError('relay.bad_body', { reason: `Content-Encoding ${headers.get('content-encoding')}` })

async function inflated(body: ReadableStream<Uint8Array>, decompressor: Transform) {
  const chunks: Uint8Array[] = []
  let size = 0
  // Each end propagates its failure to the other, and so to the reader.
  const unpacked: AsyncIterable<Uint8Array> = pipeline(Readable.from(body), decompressor, () => {})
  for await (const chunk of unpacked) {
    size += chunk.byteLength
    if (size > CALL_BODY_MAX) throw new GatewayError('input.too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
