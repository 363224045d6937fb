import { expect, test } from 'bun:test'
import { answerDecoders } from '../answer-decoders.ts'
import { explainAnthropic } from '../anthropic/explain.ts'
import { failureFrom } from '../testing/vendor-kit.ts'
import { embeddedError } from './embedded-error.ts'
import { explainOpenAi } from './explain.ts'

/* Errors as servers of OpenAI's dialect really send them: the caller sees the reason, wherever the server put it. */

const fieldErrors = [{ type: 'missing', loc: ['body', 'messages', 0, 'content'], msg: 'Field required', input: {} }]

test.each<[server: string, body: unknown, message: string]>([
  ['OpenAI', { error: { message: 'Too long', type: 'invalid_request_error', code: null } }, 'Too long'],
  ['a server that only has a text', { error: 'Model is loading' }, 'Model is loading'],
  ['vLLM', { object: 'error', message: 'Too long', type: 'BadRequestError', code: 400 }, 'Too long'],
  ['FastAPI', { detail: 'Not enough memory' }, 'Not enough memory'],
  ['FastAPI, about a field', { detail: fieldErrors }, 'body.messages.0.content: Field required'],
  ['Mistral', { object: 'error', message: { detail: fieldErrors } }, 'body.messages.0.content: Field required'],
  ['DeepInfra', { detail: { error: 'No such model' } }, 'No such model'],
  ['Cloudflare', { success: false, errors: [{ code: 7003, message: 'No route' }, { message: 'No' }] }, 'No route; No'],
  ['Google’s imitation', [{ error: { code: 400, message: 'In a list', status: 'INVALID_ARGUMENT' } }], 'In a list'],
  [
    'OpenRouter',
    { error: { message: 'Provider returned error', code: 400, metadata: { raw: 'top_k is too large' } } },
    'Provider returned error: top_k is too large',
  ],
])('%s', (_, body, message) => {
  expect(explainOpenAi(400, JSON.stringify(body))).toMatchObject({ status: 400, class: 'client', message })
})

test.each<[what: string, body: string, message: string]>([
  ['a text is a message', 'upstream connect error\nreset', 'upstream connect error'],
  ['a page is not', '<html><h1>Bad Gateway</h1></html>', 'The upstream answered with status 503'],
  ['nothing is not', '', 'The upstream answered with status 503'],
  ['an object without words is not', '{"error":{"message":""}}', 'The upstream answered with status 503'],
  ['nor is a nest without an egg', '['.repeat(20_000) + ']'.repeat(20_000), 'The upstream answered with status 503'],
])('%s', (_, body, message) => {
  expect(explainOpenAi(503, body)).toMatchObject({ class: 'server', message })
  expect(explainAnthropic(503, body)).toMatchObject({ class: 'server', message, code: null })
})

test.each<[what: string, error: object]>([
  [
    'OpenRouter’s moderation',
    {
      ...{ code: 403, message: 'openai/gpt-4o requires moderation. Your input was flagged' },
      metadata: {
        reasons: ['violence'],
        flagged_input: 'How to…',
        provider_name: 'OpenAI',
        model_slug: 'openai/gpt-4o',
      },
    },
  ],
  ['its content filter', { code: 'content_policy_violation', message: 'The input was flagged' }],
  ['xAI’s safety check', { message: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO' }],
])('a prompt that was flagged is the caller’s error, whatever the status: %s', (_, error) => {
  const flagged = { class: 'client', blame: 'request', status: 400, code: 'content_policy_violation' }
  expect(explainOpenAi(403, JSON.stringify({ error }))).toMatchObject(flagged)
  // The same inside an answer or a stream that began with 200.
  expect(embeddedError({ error: { code: 403, ...error, status: 403 } })?.failure).toMatchObject(flagged)
})

test('xAI has its words where others have an object', () => {
  const body = { code: 'The caller does not have permission', error: 'Content violates usage guidelines. Team: x' }
  expect(explainOpenAi(403, JSON.stringify(body))).toMatchObject({ class: 'client', message: body.error })
})

test('any other 403 is about the key', () => {
  const error = { code: 403, message: 'Only management keys can perform this operation', metadata: { raw: 'no' } }
  expect(explainOpenAi(403, JSON.stringify({ error }))).toMatchObject({ class: 'auth', blame: 'channel', status: 403 })
})

test.each<[status: number, type: string, error_code: string, failure: string]>([
  [429, 'rate_limit_error', 'contract_spend_limit_reached', 'quota'],
  [429, 'rate_limit_error', 'enforced_spend_limit_reached', 'quota'],
  [429, 'rate_limit_error', 'ramp_limit_exceeded', 'rate'],
  [400, 'invalid_request_error', 'organization_on_hold', 'auth'],
  [400, 'invalid_request_error', 'claude_code_key_creator_not_member', 'auth'],
  [400, 'invalid_request_error', 'cmek_key_disabled', 'auth'],
  [400, 'invalid_request_error', 'claude_code_version_too_old', 'client'],
])('Anthropic’s %d %s with %s is one of: %s', async (status, type, error_code, expected) => {
  const error = { type, message: 'No.', details: { error_code } }
  expect(explainAnthropic(status, JSON.stringify({ type: 'error', error }))).toMatchObject({ class: expected, status })
  const decode = answerDecoders['anthropic/messages'].streamDecoder()
  const event = { event: 'error', data: JSON.stringify({ type: 'error', error }) }
  expect(await failureFrom(() => decode(event))).toMatchObject({ class: expected })
})
