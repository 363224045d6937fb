import {
  type Fields,
  failureOf,
  inputTokens,
  isFields,
  mjRefusal,
  NO_USAGE,
  readMjTask,
  type UpstreamFailure,
  type Usage,
  VendorError,
} from '@tollgate/providers'
import { storableText } from '../common/storable-text.ts'
import { writtenTokens } from '../relay/meter/count-response.ts'
import { withBothSides } from '../relay/meter/one-sided-usage.ts'
import { hasInvalidUsage, isPlausible } from '../relay/meter/plausible-usage.ts'
import { operationAt } from '../relay/surfaces/operations.ts'

/** `response`: a background response. `video`: a video. `midjourney`: a Midjourney task. */
export type BatchKind = 'openai' | 'anthropic' | 'google' | 'response' | 'video' | 'midjourney'

/** The state of a batch at the vendor. */
export interface BatchState {
  upstreamId: string
  status: string
  ended: boolean
  /** The vendor's ids of the result files. */
  output: string
  errors: string
}

/** The result of one request of a batch. */
export interface LineResult {
  id: string
  /** False if the vendor could not answer it; it costs nothing then. */
  answered: boolean
  /** Undefined without plausible usage. */
  usage: Usage | undefined
}

interface Kind {
  path(id: string): string
  read(body: Fields): BatchState
  /** The path of the results; undefined if there are none. */
  resultsPath(state: BatchState): string | undefined
  /** Or the file that contains them. */
  resultsFile?(state: BatchState): string | undefined
  /** The results inside the last answer; absent if it is the result itself, or they are elsewhere. */
  lines?(body: Fields): readonly unknown[]
  readLine(line: Fields, endpoint: string): LineResult
  /** What is stored of an answer; absent means all of it. */
  stored?(body: Fields): Fields
  /** The vendor's reason for a failure. */
  failure?(body: Fields): string | undefined
  /** A refusal that the vendor sends with a status of success. */
  refusal?(body: Fields): UpstreamFailure | undefined
  /** The age at which a batch without a known outcome is given up. */
  giveUpSec: number
  /** How long its vendor may answer that it does not know it. */
  unknownSec: number
}

/** Vendors take at most seven days. */
const GIVE_UP_SEC = 10 * 86_400
/** A batch is worth many calls; the others are finished within minutes, and their callers wait for the quota. */
const BATCH_UNKNOWN_SEC = 86_400
const UNKNOWN_SEC = 3_600

/** Vendors' words are shorter. */
const STATUS_MAX = 64

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const OPENAI_ENDS = new Set(['failed', 'completed', 'expired', 'cancelled'])
const GOOGLE_ENDS = /_(?:SUCCEEDED|FAILED|CANCELLED|EXPIRED)$/
/** Compatible servers have more final states than OpenAI; only `completed` costs anything. */
const VIDEO_ENDS = new Set(['completed', 'failed', 'cancelled', 'expired'])
/** No vendor makes longer videos. */
const VIDEO_SECONDS_MAX = 60
const RESPONSE_ENDS = new Set(['completed', 'failed', 'cancelled', 'incomplete'])

/** According to the public documentation of OpenAI (Batch, Responses, Videos), Anthropic (Message Batches) and midjourney-proxy. */
export const KINDS: Record<BatchKind, Kind> = {
  openai: {
    giveUpSec: GIVE_UP_SEC,
    unknownSec: BATCH_UNKNOWN_SEC,
    path: (id) => `/batches/${id}`,
    read: ({ id, status, output_file_id, error_file_id }) => ({
      ...{ upstreamId: textOf(id), status: textOf(status), ended: OPENAI_ENDS.has(textOf(status)) },
      ...{ output: textOf(output_file_id), errors: textOf(error_file_id) },
    }),
    resultsPath: () => undefined,
    resultsFile: ({ output }) => (output === '' ? undefined : output),
    readLine({ custom_id, response }, endpoint) {
      const { status_code, body } = isFields(response) ? response : {}
      const answered = status_code === 200 && isFields(body)
      return { id: textOf(custom_id), answered, usage: answered ? usageOf(body, endpoint) : undefined }
    },
    failure({ errors }) {
      const [first]: unknown[] = isFields(errors) && Array.isArray(errors.data) ? errors.data : []
      const reason = isFields(first) ? textOf(first.message) : ''
      return reason === '' ? undefined : storableText(reason, 500)
    },
  },
  anthropic: {
    giveUpSec: GIVE_UP_SEC,
    unknownSec: BATCH_UNKNOWN_SEC,
    path: (id) => `/batches/${id}`,
    read: ({ id, processing_status }) => ({
      ...{ upstreamId: textOf(id), status: textOf(processing_status), ended: processing_status === 'ended' },
      ...{ output: '', errors: '' },
    }),
    resultsPath: ({ upstreamId }) => `/batches/${upstreamId}/results`,
    readLine({ custom_id, result }, endpoint) {
      const { type, message } = isFields(result) ? result : {}
      const answered = type === 'succeeded' && isFields(message)
      return { id: textOf(custom_id), answered, usage: answered ? usageOf(message, endpoint) : undefined }
    },
  },
  google: {
    giveUpSec: GIVE_UP_SEC,
    unknownSec: BATCH_UNKNOWN_SEC,
    path: (id) => `/batches/${id}`,
    read({ name, done, metadata }) {
      const status = textOf(isFields(metadata) ? metadata.state : undefined) || (done === true ? 'done' : 'pending')
      const ended = done === true || GOOGLE_ENDS.test(status)
      return { upstreamId: textOf(name).replace(/^batches\//, ''), status, ended, output: '', errors: '' }
    },
    resultsPath: () => undefined,
    lines: (body) => googleResults(body).map((line, index) => (isFields(line) ? { ...line, index } : line)),
    readLine({ index, response }, endpoint) {
      const answered = isFields(response)
      const usage = answered ? (usageOf(response, endpoint) ?? embeddingUsage(response)) : undefined
      return { id: String(index), answered, usage }
    },
    // Requests and results stay at the vendor.
    stored({ name, metadata, done, error }) {
      const { output, inputConfig, ...state } = isFields(metadata) ? metadata : {}
      return { name, metadata: state, ...(done === true && { done }), ...(error != null && { error }) }
    },
    failure({ error }) {
      const reason = isFields(error) ? textOf(error.message) : ''
      return reason === '' ? undefined : storableText(reason, 500)
    },
  },
  response: {
    giveUpSec: GIVE_UP_SEC,
    unknownSec: UNKNOWN_SEC,
    path: (id) => `/responses/${id}`,
    read: ({ id, status }) => ({
      ...{ upstreamId: textOf(id), status: textOf(status), ended: RESPONSE_ENDS.has(textOf(status)) },
      ...{ output: '', errors: '' },
    }),
    // The response itself is the result.
    resultsPath: () => undefined,
    readLine(line, endpoint) {
      const usage = isFields(line.usage) ? usageOf(line, endpoint) : undefined
      return { id: textOf(line.id), answered: isFields(line.usage) || line.status === 'completed', usage }
    },
  },
  video: {
    giveUpSec: GIVE_UP_SEC,
    unknownSec: UNKNOWN_SEC,
    path: (id) => `/videos/${id}`,
    read: ({ id, status }) => ({
      ...{ upstreamId: textOf(id), status: textOf(status), ended: VIDEO_ENDS.has(textOf(status)) },
      ...{ output: '', errors: '' },
    }),
    resultsPath: () => undefined,
    readLine: ({ id, status, seconds }) => ({
      ...{ id: textOf(id), answered: status === 'completed', usage: videoUsage(seconds) },
    }),
    failure({ error }) {
      const reason = isFields(error) ? textOf(error.message) : ''
      return reason === '' ? undefined : storableText(reason, 500)
    },
  },
  midjourney: {
    // The servers keep tasks in memory, and end them within the hour.
    giveUpSec: 86_400,
    unknownSec: UNKNOWN_SEC,
    path: (id) => `/mj/task/${id}/fetch`,
    read(body) {
      const { id, status, ended } = readMjTask(body)
      return { upstreamId: id, status, ended, output: '', errors: '' }
    },
    resultsPath: () => undefined,
    readLine: ({ id, status }) => ({
      ...{ id: textOf(id), answered: status === 'SUCCESS', usage: { ...NO_USAGE, tasks: 1 } },
    }),
    failure({ failReason }) {
      const reason = textOf(failReason)
      return reason === '' ? undefined : storableText(reason, 500)
    },
    refusal: mjRefusal,
  },
}

export const readState = (kind: BatchKind, body: unknown): BatchState | undefined => {
  const read = isFields(body) ? KINDS[kind].read(body) : undefined
  const state = read && { ...read, status: storableText(read.status, STATUS_MAX) }
  // The id becomes part of a path.
  return state !== undefined && /^[\w-]{1,200}$/.test(state.upstreamId) && state.status !== '' ? state : undefined
}

/** Vendors send the length as a string. */
function videoUsage(seconds: unknown): Usage | undefined {
  const length = typeof seconds === 'string' || typeof seconds === 'number' ? Math.ceil(Number(seconds)) : 0
  return length >= 1 && length <= VIDEO_SECONDS_MAX ? { ...NO_USAGE, videoSeconds: length } : undefined
}

/** Google counts the input of an embedding in the answer itself, as a string. */
function embeddingUsage({ embedding, tokenCount }: Fields): Usage | undefined {
  const input = typeof tokenCount === 'string' || typeof tokenCount === 'number' ? Number(tokenCount) : 0
  if (!isFields(embedding) || !Number.isSafeInteger(input) || input < 1) return undefined
  const usage = { ...NO_USAGE, input }
  return isPlausible(usage, undefined, () => 0) ? usage : undefined
}

/** The results of a batch in Google's format are in the batch itself, at one of two places. */
function googleResults({ metadata, response }: Fields): readonly unknown[] {
  const output = isFields(response) ? response : isFields(metadata) ? metadata.output : undefined
  const inlined = isFields(output) ? (output.inlinedResponses ?? output.inlinedEmbedContentResponses) : undefined
  const results = isFields(inlined) ? inlined.inlinedResponses : undefined
  if (Array.isArray(results)) return results
  const isAnswered = isFields(metadata) && textOf(metadata.state).endsWith('_SUCCEEDED')
  // Otherwise it would be settled as if nothing had been answered.
  if (isAnswered) throw new VendorError(failureOf('server', 'The answer holds no results'))
  return []
}

export const cancelPath = (kind: BatchKind, id: string) =>
  `${KINDS[kind].path(id)}${kind === 'google' ? ':cancel' : '/cancel'}`

export const isKind = (kind: string): kind is BatchKind => Object.hasOwn(KINDS, kind)

/** Output that the vendor does not report is counted; the input of a line is unknown here. */
function usageOf(body: Fields, endpoint: string): Usage | undefined {
  const operation = operationAt(endpoint)?.operation
  const read = operation?.usage.read(body)
  if (operation === undefined || read === undefined || hasInvalidUsage(body)) return undefined
  const reported = { ...NO_USAGE, ...read }
  if (!isPlausible(reported, undefined, () => 0)) return undefined
  if (operation.usage.isFree?.(body)) return NO_USAGE
  if (!operation.writes) return reported
  const written = () => ({ ...NO_USAGE, output: writtenTokens(operation, encoder.encode(JSON.stringify(body))) })
  return inputTokens(reported) === 0 ? undefined : withBothSides(reported, written)
}

const encoder = new TextEncoder()
