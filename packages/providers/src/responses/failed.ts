import type { UpstreamFailure } from '../failure.ts'
import { sse } from '../sse.ts'

/**
 * What an error says as an event of a response. OpenAI's documents have its members in the event, its servers send them
 * in an `error` of their own; client libraries look in either place.
 */
export const errorEvent = ({ message, type, code, param }: UpstreamFailure) => ({
  code,
  message,
  param,
  error: { type, code, message, param },
})

/** By OpenAI's names, which are few. */
export const responseError = ({ class: kind, code, message }: UpstreamFailure) => ({
  // Codex goes by it: anything else makes it call again.
  code: code === 'insufficient_quota' ? code : kind === 'rate' ? 'rate_limit_exceeded' : 'server_error',
  message,
})

/** Events of ours stand behind all that the vendor has numbered. */
const LATE = 1_000_000

/**
 * The last frames of a vendor's own stream of a response that broke off. Some clients wait for the failed response, others
 * only for an error; which response it was has been told before.
 */
export const brokenResponse = (failure: UpstreamFailure) =>
  event('response.failed', LATE, {
    response: { object: 'response', status: 'failed', error: responseError(failure), output: [], usage: null },
  }) + event('error', LATE + 1, errorEvent(failure))

const event = (type: string, sequence_number: number, more: object) => sse({ type, sequence_number, ...more }, type)
