import { expect, test } from 'bun:test'
import type OpenAI from 'openai'
import { answerDecoders } from '../answer-decoders.ts'
import type { FailureClass, UpstreamFailure } from '../failure.ts'
import { brokenResponse } from '../responses/failed.ts'
import { failureFrom } from '../testing/vendor-kit.ts'

/*
 * Every code with which OpenAI ends a response. The list is that of its own types, so that a new code fails the check of types until
 * somebody has decided who is responsible for it.
 */

type Code = OpenAI.Responses.ResponseError['code']

const CLASSES: Record<Code, FailureClass> & Record<string, FailureClass> = {
  ...({
    server_error: 'server',
    rate_limit_exceeded: 'rate',
    vector_store_timeout: 'timeout',
    // Another channel may be in the right place.
    data_residency_mismatch: 'server',
    invalid_prompt: 'client',
    bio_policy: 'client',
    misalignment_policy_violation: 'client',
    invalid_image: 'client',
    invalid_image_format: 'client',
    invalid_base64_image: 'client',
    invalid_image_url: 'client',
    invalid_image_mode: 'client',
    image_too_large: 'client',
    image_too_small: 'client',
    image_parse_error: 'client',
    image_content_policy_violation: 'client',
    image_file_too_large: 'client',
    image_file_not_found: 'client',
    unsupported_image_media_type: 'client',
    empty_image_file: 'client',
    failed_to_download_image: 'client',
  } satisfies Record<Code, FailureClass>),
  // Documented elsewhere.
  ...{ context_length_exceeded: 'client', cyber_policy: 'client', content_policy_violation: 'client' },
  ...{ insufficient_quota: 'quota', invalid_api_key: 'auth' },
}

const { decode, streamDecoder } = answerDecoders.responses

const streamed = (event: { type: string; [member: string]: unknown }) =>
  streamDecoder()({ event: event.type, data: JSON.stringify(event) })

test.each(Object.entries(CLASSES))('a response that ended with %s is the failure of: %s', async (code, expected) => {
  const error = { code, message: 'It ended.' }
  const ways = [
    () => decode({ object: 'response', status: 'failed', error, output: [] }),
    () => streamed({ type: 'response.failed', response: { id: 'r', status: 'failed', error } }),
    () => streamed({ type: 'error', ...error, param: null }),
    () => streamed({ type: 'error', error: { ...error, type: '' } }),
  ]
  for (const way of ways) {
    expect(await failureFrom(way)).toMatchObject({ class: expected, code, message: 'It ended.' })
  }
})

const ended = (failure: Partial<UpstreamFailure>) =>
  brokenResponse({
    ...{ blame: 'request', class: 'client', status: 400, message: 'It ended.', type: '', code: null, param: null },
    ...failure,
  })

test.each<[Partial<UpstreamFailure>, code: string]>([
  [{ code: 'misalignment_policy_violation' }, 'misalignment_policy_violation'],
  [{ code: 'invalid_value' }, 'invalid_prompt'],
  [{ class: 'quota', code: 'insufficient_quota' }, 'insufficient_quota'],
  [{ class: 'rate', code: '1302' }, 'rate_limit_exceeded'],
  [{ class: 'server', code: null }, 'server_error'],
])('a client that repeats what failed for good is told not to: %j', (failure, code) => {
  expect(ended(failure)).toContain(`"error":{"code":"${code}"`)
})
