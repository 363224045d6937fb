import {
  type Fields,
  isFields,
  mjRefusal,
  NO_USAGE,
  readMjTask,
  type UpstreamFailure,
  type Usage,
} from '@tollgate/providers'
import { storableText } from '../common/storable-text.ts'
import { hasInvalidUsage, isPlausible } from '../relay/meter/plausible-usage.ts'
import { operationAt } from '../relay/surfaces/operations.ts'

/** `response`: one response in the background. `video`: one video. `midjourney`: one task of Midjourney's. */
export type BatchKind = 'openai' | 'anthropic' | 'response' | 'video' | 'midjourney'

/** What a vendor says of a batch. */
export interface BatchState {
  upstreamId: string
  status: string
  ended: boolean
  /** The vendor's names of the files that it has made. */
  output: string
  errors: string
}

/** One answer of a batch. */
export interface LineResult {
  id: string
  /** False for one that the vendor could not answer, which costs nothing. */
  answered: boolean
  /** Undefined where nothing is reported that can be true. */
  usage: Usage | undefined
}

interface Kind {
  path(id: string): string
  read(body: Fields): BatchState
  /** Where the answers are; undefined where there are none. */
  resultsPath(state: BatchState): string | undefined
  readLine(line: Fields, endpoint: string): LineResult
  /** What the vendor says of one of which nothing came. */
  failure?(body: Fields): string | undefined
  /** Of an answer without an error's status by which the vendor has said no. */
  refusal?(body: Fields): UpstreamFailure | undefined
  /** After so long nobody can tell any more what became of one. */
  giveUpSec: number
}

/** Vendors give themselves seven days at most. */
const GIVE_UP_SEC = 10 * 86_400

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const OPENAI_ENDS = new Set(['failed', 'completed', 'expired', 'cancelled'])
/** Imitators know more ends than OpenAI does; only a completed one costs anything. */
const VIDEO_ENDS = new Set(['completed', 'failed', 'cancelled', 'expired'])
/** No vendor makes longer ones at once. */
const VIDEO_SECONDS_MAX = 60
const RESPONSE_ENDS = new Set(['completed', 'failed', 'cancelled', 'incomplete'])

/** After the public documents: OpenAI's Batch API, Responses and Videos, Anthropic's Message Batches, and midjourney-proxy. */
export const KINDS: Record<BatchKind, Kind> = {
  openai: {
    giveUpSec: GIVE_UP_SEC,
    path: (id) => `/batches/${id}`,
    read: ({ id, status, output_file_id, error_file_id }) => ({
      ...{ upstreamId: textOf(id), status: textOf(status), ended: OPENAI_ENDS.has(textOf(status)) },
      ...{ output: textOf(output_file_id), errors: textOf(error_file_id) },
    }),
    resultsPath: ({ output }) => (output === '' ? undefined : `/files/${output}/content`),
    readLine({ custom_id, response }, endpoint) {
      const { status_code, body } = isFields(response) ? response : {}
      const answered = status_code === 200 && isFields(body)
      return { id: textOf(custom_id), answered, usage: answered ? usageOf(body, endpoint) : undefined }
    },
  },
  anthropic: {
    giveUpSec: GIVE_UP_SEC,
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
  response: {
    giveUpSec: GIVE_UP_SEC,
    path: (id) => `/responses/${id}`,
    read: ({ id, status }) => ({
      ...{ upstreamId: textOf(id), status: textOf(status), ended: RESPONSE_ENDS.has(textOf(status)) },
      ...{ output: '', errors: '' },
    }),
    // It is its own only answer.
    resultsPath: () => undefined,
    readLine(line, endpoint) {
      const usage = isFields(line.usage) ? usageOf(line, endpoint) : undefined
      return { id: textOf(line.id), answered: isFields(line.usage) || line.status === 'completed', usage }
    },
  },
  video: {
    giveUpSec: GIVE_UP_SEC,
    path: (id) => `/videos/${id}`,
    read: ({ id, status }) => ({
      ...{ upstreamId: textOf(id), status: textOf(status), ended: VIDEO_ENDS.has(textOf(status)) },
      ...{ output: '', errors: '' },
    }),
    resultsPath: () => undefined,
    readLine: ({ id, status, seconds }) => ({
      ...{ id: textOf(id), answered: status === 'completed', usage: filmed(seconds) },
    }),
    failure({ error }) {
      const said = isFields(error) ? textOf(error.message) : ''
      return said === '' ? undefined : storableText(said, 500)
    },
  },
  midjourney: {
    // Its servers keep tasks in memory, and end them by themselves within the hour.
    giveUpSec: 86_400,
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
      const said = textOf(failReason)
      return said === '' ? undefined : storableText(said, 500)
    },
    refusal: mjRefusal,
  },
}

export const readState = (kind: BatchKind, body: unknown): BatchState | undefined => {
  const state = isFields(body) ? KINDS[kind].read(body) : undefined
  // It goes into paths.
  return state !== undefined && /^[\w-]{1,200}$/.test(state.upstreamId) && state.status !== '' ? state : undefined
}

/** Vendors write the length as a text. */
function filmed(seconds: unknown): Usage | undefined {
  const length = typeof seconds === 'string' || typeof seconds === 'number' ? Math.ceil(Number(seconds)) : 0
  return length >= 1 && length <= VIDEO_SECONDS_MAX ? { ...NO_USAGE, videoSeconds: length } : undefined
}

export const cancelPath = (kind: BatchKind, id: string) => `${KINDS[kind].path(id)}/cancel`

export const isKind = (kind: string): kind is BatchKind => kind in KINDS

function usageOf(body: Fields, endpoint: string): Usage | undefined {
  const read = operationAt(endpoint)?.operation.usage.read(body)
  if (read === undefined || hasInvalidUsage(body)) return undefined
  const usage = { ...NO_USAGE, ...read }
  return isPlausible(usage, undefined, () => 0) ? usage : undefined
}
