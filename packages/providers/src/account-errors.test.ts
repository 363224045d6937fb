import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import type { FailureClass } from './failure.ts'
import { providerOf } from './registry.ts'

/*
 * The errors of accounts, keys and limits as vendors document them, by the name of the channel type. Whom a failure is blamed on must not
 * depend on the status alone.
 */

type Documented = [vendor: string, status: number, body: object | string, expected: FailureClass]

const openai = (message: string, more: object = {}) => ({ error: { message, ...more } })
const google = (status: string, message: string, details: object[] = []) => ({ error: { message, status, details } })
const claude = (type: string, message: string) => ({ type: 'error', error: { type, message } })

const DOCUMENTED: Documented[] = [
  ['openai', 401, openai('Your key is wrong', { code: 'invalid_api_key' }), 'auth'],
  ['openai', 403, openai('Not here', { code: 'unsupported_country_region_territory' }), 'auth'],
  ['openai', 429, openai('Slower', { type: 'requests', code: 'rate_limit_exceeded' }), 'rate'],
  ['openai', 429, openai('No more', { type: 'insufficient_quota', code: 'insufficient_quota' }), 'quota'],
  ['openai', 400, openai('Hard limit', { code: 'billing_hard_limit_reached' }), 'quota'],
  ['openai', 429, openai('Ended', { type: 'access_terminated', code: 'access_terminated' }), 'auth'],
  ['azure', 401, { error: { code: '401', message: 'Access denied' } }, 'auth'],
  ['azure', 424, { error: { code: 'FailedDependency', message: 'x' } }, 'server'],
  ['anthropic', 400, claude('invalid_request_error', 'Your credit balance is too low to access the API.'), 'quota'],
  ['anthropic', 400, claude('invalid_request_error', 'This organization has been disabled.'), 'auth'],
  ['anthropic', 400, claude('invalid_request_error', 'You have reached your specified API usage limits.'), 'quota'],
  [
    ...(['anthropic', 400] as const),
    claude('invalid_request_error', 'You have reached your specified workspace API usage limits.'),
    'quota',
  ],
  [
    ...(['anthropic', 400] as const),
    claude('invalid_request_error', 'This credential is only authorized for use with Claude Code and cannot be used'),
    'auth',
  ],
  ['anthropic', 402, claude('billing_error', 'x'), 'quota'],
  ['anthropic', 403, claude('permission_error', 'x'), 'auth'],
  ['anthropic', 529, claude('overloaded_error', 'Overloaded'), 'server'],
  ['gemini', 400, google('INVALID_ARGUMENT', 'API key expired.', [{ reason: 'API_KEY_INVALID' }]), 'auth'],
  ['gemini', 400, google('FAILED_PRECONDITION', 'User location is not supported for the API use.'), 'auth'],
  ['gemini', 403, google('PERMISSION_DENIED', 'Your API key was reported as leaked.'), 'auth'],
  ['gemini', 429, google('RESOURCE_EXHAUSTED', 'You exceeded your current quota'), 'rate'],
  ['gemini', 429, google('RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted. Please go on'), 'quota'],
  ['gemini', 429, google('RESOURCE_EXHAUSTED', 'Your project has exceeded its monthly spending cap.'), 'quota'],
  ['gemini', 499, google('CANCELLED', 'The operation was cancelled.'), 'server'],
  ['vertex', 403, google('PERMISSION_DENIED', 'Enable billing', [{ reason: 'BILLING_DISABLED' }]), 'quota'],
  ['aws', 424, { message: 'The model returned the following errors' }, 'server'],
  ['aws', 403, { message: 'The security token included in the request is invalid.' }, 'auth'],
  ['groq', 498, openai('Flex tier capacity exceeded', { code: 'capacity_exceeded' }), 'rate'],
  ['groq', 400, openai('Restricted', { code: 'organization_restricted' }), 'auth'],
  ['xai', 400, { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***' }, 'auth'],
  ['xai', 403, { code: 'no', error: "Your newly created team doesn't have any credits or licenses yet." }, 'quota'],
  ['xai', 429, { code: 'no', error: 'Your team 1-2 has either used all available credits or reached its' }, 'quota'],
  ['xai', 429, { code: 'no', error: 'Too many requests for team 1-2 and model m.' }, 'rate'],
  ['deepseek', 402, openai('Insufficient Balance'), 'quota'],
  ['moonshot', 429, openai('Suspended', { type: 'exceeded_current_quota_error' }), 'quota'],
  ['moonshot', 403, openai('Not active', { type: 'exceeded_current_quota_error' }), 'quota'],
  ['moonshot', 429, openai('Wait', { type: 'rate_limit_reached_error' }), 'rate'],
  ['zhipu', 429, openai('x', { code: '1113' }), 'quota'],
  ['zhipu', 429, openai('x', { code: '1302' }), 'rate'],
  ['qwen', 400, { code: 'Arrearage', message: 'x' }, 'quota'],
  ['bailian', 400, openai('x', { code: 'Arrearage' }), 'quota'],
  ['bailian', 403, openai('x', { code: 'AllocationQuota.FreeTierOnly' }), 'quota'],
  ['doubao', 403, openai('Overdue', { code: 'AccountOverdueError', type: 'Forbidden' }), 'quota'],
  ['doubao', 429, openai('Paused', { code: 'SetLimitExceeded', type: 'TooManyRequests' }), 'quota'],
  ['doubao', 403, openai('Overdue', { code: 'OperationDenied.ServiceOverdue', type: 'Forbidden' }), 'quota'],
  ['doubao', 400, openai('Expired', { code: 'InvalidSubscription', type: 'Forbidden' }), 'quota'],
  ['doubao', 403, openai('No access', { code: 'AccessDenied', type: 'Forbidden' }), 'auth'],
  ['openrouter', 402, openai('Insufficient credits', { code: 402 }), 'quota'],
  ['openrouter', 403, openai('Key limit exceeded (monthly limit).', { code: 403 }), 'quota'],
  ['siliconflow', 403, { code: 30001, message: 'Sorry, your account balance is insufficient' }, 'quota'],
  ['siliconflow', 401, '"Invalid token"', 'auth'],
  ['fireworks', 412, openai('Account ada-1 is suspended, possibly due to unpaid invoices'), 'quota'],
  ['openai-compatible', 403, openai('x', { code: 'insufficient_user_quota' }), 'quota'],
  ['openai-compatible', 400, openai('Budget has been exceeded', { type: 'budget_exceeded', code: '400' }), 'quota'],
  ['openai-compatible', 502, '<html>Bad Gateway</html>', 'server'],
  ['openai-compatible', 524, 'error code: 524', 'timeout'],
]

const explained = (vendor: string, status: number, body: object | string) => {
  const type = CHANNEL_TYPES.find(({ key }) => key === vendor)?.value ?? 0
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return providerOf(type)?.explain(status, text, new Headers())
}

test.each(DOCUMENTED)('%s, %d %j: %s', (vendor, status, body, expected) => {
  expect(explained(vendor, status, body)).toMatchObject({ class: expected, status })
})

test('whatever a caller writes does not make its request the channel’s failure', () => {
  const echoed = [
    'Invalid value: Incorrect API key provided',
    "messages.0: 'This organization has been disabled.'",
    'Unknown tool Your prepayment credits are depleted',
    'Unsupported value: credit balance is too low',
    'Invalid value: Your organization must be verified to stream this model.',
    'messages.0: models/gemini-9 is not found',
  ]
  for (const vendor of ['openai', 'anthropic', 'gemini', 'xai'])
    for (const message of echoed)
      expect(explained(vendor, 400, openai(message, { type: 'invalid_request_error' }))).toMatchObject({
        class: 'client',
      })
})

const volcengine = (code: string, message: string) => openai(message, { code, type: 'Forbidden' })

test.each<[vendor: string, status: number, body: object]>([
  ['openai', 403, openai('Project `p` does not have access to model `m`', { code: 'model_not_found' })],
  ['openai', 404, openai('The model `m` does not exist or you do not have access to it.', { code: 'model_not_found' })],
  ['openai', 403, openai('Your organization must be verified to use the model `gpt-image-1`. Please go to')],
  ['openai', 400, openai('Your organization must be verified to stream this model.', { code: 'unsupported_value' })],
  ['openai', 400, openai('Your organization must be verified to generate reasoning summaries.')],
  ['azure', 404, openai('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' })],
  ['anthropic', 404, claude('not_found_error', 'model: claude-opus-9')],
  ['gemini', 404, google('NOT_FOUND', 'models/gemini-9 is not found for API version v1beta, or is not supported')],
  ['vertex', 404, google('NOT_FOUND', 'Publisher Model `projects/p/models/m` was not found or your project does not')],
  ['vertex', 400, google('FAILED_PRECONDITION', 'Publisher Model `projects/p/models/m` is not servable in region r.')],
  ['vertex', 400, google('FAILED_PRECONDITION', 'Project `1` is not allowed to use Publisher Model `projects/p/m`')],
  ['groq', 403, openai('Blocked', { code: 'model_permission_blocked_org' })],
  ['groq', 400, openai('The model `m` requires terms acceptance.', { code: 'model_terms_required' })],
  ['groq', 400, openai('The model `m` has been decommissioned', { code: 'model_decommissioned' })],
  [
    'xai',
    404,
    { code: 'Not found', error: 'The model grok-9 does not exist or your team 1 does not have access to it.' },
  ],
  ['mistral', 400, { object: 'error', message: 'Invalid model: m', type: 'invalid_model', code: '1500' }],
  ['deepseek', 400, openai('Model Not Exist', { type: 'invalid_request_error' })],
  ['moonshot', 404, openai('Not found the model m or Permission denied', { type: 'resource_not_found_error' })],
  ['cohere', 404, { message: "model 'm' not found, make sure the correct model ID was used" }],
  ['together', 400, openai('Unable to access model m.', { code: 'model_not_available' })],
  ['fireworks', 404, openai('Model not found, inaccessible, and/or not deployed', { code: 'NOT_FOUND' })],
  ['openrouter', 404, openai('No endpoints found matching your data policy (Paid model training).', { code: 404 })],
  ['siliconflow', 403, { code: 30003, message: 'Model disabled.' }],
  ['siliconflow', 400, { code: 20012, message: 'Model does not exist. Please check it carefully.' }],
  ['qwen', 403, { code: 'Model.AccessDenied', message: 'Model access denied.' }],
  ['doubao', 404, volcengine('ModelNotOpen', 'Your account 1 has not activated the model m.')],
  ['doubao', 404, volcengine('InvalidEndpointOrModel.NotFound', 'The model or endpoint m does not exist')],
  ['doubao', 403, volcengine('OperationDenied.ServiceNotOpen', 'the model service is unavailable')],
  ['aws', 403, { message: "You don't have access to the model with the specified model ID." }],
  ['aws', 403, { message: 'Model access is denied due to IAM user or service role is not authorized to perform' }],
  ['aws', 403, { message: 'anthropic.claude-opus-9 is not available for this account. You can explore others' }],
  ['aws', 404, { message: 'Model use case details have not been submitted for this account.' }],
  ['aws', 400, { message: 'Invocation of model ID m with on-demand throughput isn\u2019t supported.' }],
  ['aws', 400, { message: 'The provided model identifier is invalid.' }],
])(
  'a model that a key may not use is missing at this channel, and says nothing about the key: %s %d',
  (vendor, status, body) => {
    expect(explained(vendor, status, body)).toMatchObject({
      ...{ class: 'client', blame: 'transient', status: 404, code: 'model_not_found' },
    })
  },
)

test.each<[vendor: string, status: number, body: object]>([
  ['gemini', 400, google('FAILED_PRECONDITION', 'The File ab1 is not in an ACTIVE state and usage is not allowed.')],
  ['doubao', 403, volcengine('OperationDenied.InvalidState', 'The specified file is in invalid state: InProgress.')],
  ['doubao', 403, volcengine('OperationDenied.TosAccessDenied', 'Access denied for TOS resource t.')],
  ['together', 403, openai('Input token count + max_tokens parameter must be less than the context length')],
])('what a caller refers to does not disable the channel: %s %d', (vendor, status, body) => {
  expect(explained(vendor, status, body)).toMatchObject({ class: 'client', blame: 'request', status: 400 })
})

test.each([413, 429])('a request that exceeds the limit of a minute may fit elsewhere, but not later: %d', (status) => {
  const words =
    'Request too large for model `m` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 7000'
  const body = openai(words, { type: 'tokens', code: 'rate_limit_exceeded' })
  for (const vendor of ['openai', 'groq'])
    expect(explained(vendor, status, body)).toMatchObject({ class: 'client', blame: 'transient', status: 413 })
})
