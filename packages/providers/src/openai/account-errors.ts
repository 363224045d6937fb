import type { FailureClass } from '../failure.ts'

/*
 * What vendors say of an account, a key or a model with a status that says something else: that the request is malformed, that there are too
 * many of them, that the key is forbidden. The wrong class is felt by others: a caller is blamed for a key of the channel, a channel without
 * balance is tried again and again, or every model of a key is switched off because of one that it may not use.
 */

/** By code, or by type where a vendor has none. */
const BY_CODE = new Map<string, FailureClass>([
  ...classed('quota', ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']),
  ...classed('quota', ['exceeded_current_quota_error']), // Moonshot
  ...classed('quota', ['Arrearage', 'AllocationQuota.FreeTierOnly']), // Alibaba
  ...classed('quota', ['AccountOverdueError', 'SetLimitExceeded']), // Volcengine
  ...classed('quota', ['insufficient_user_quota', 'pre_consume_token_quota_failed', 'budget_exceeded']), // other gateways
  ...classed('auth', ['invalid_api_key', 'account_deactivated', 'authentication_error', 'permission_error']),
  ...classed('auth', ['organization_restricted']), // Groq
  ...classed('rate', ['capacity_exceeded']), // Groq, with a status of its own
])

function classed(name: FailureClass, codes: readonly string[]) {
  return codes.map((code): [string, FailureClass] => [code, name])
}

/** By the beginning of the message, which no caller can write. */
const BY_WORDS: readonly [RegExp, FailureClass][] = [
  [/^Incorrect API key provided/, 'auth'], // xAI: 400
  [/^Your newly created team doesn't have any credits/, 'quota'], // xAI: 403
  [/^Your team \S+ has either used all available credits/, 'quota'], // xAI: 429
  [/^Account \S+ is suspended/, 'quota'], // Fireworks: 412
  [/^Key limit exceeded/, 'quota'], // OpenRouter: 403
  [/^Sorry, your account balance is insufficient/, 'quota'], // SiliconFlow: 403
  [/^This organization has been disabled/, 'auth'], // Anthropic: 400
  [/^You have reached your specified (?:workspace )?API usage limits/, 'quota'], // Anthropic: 400
  [/^Your credit balance is too low/, 'quota'], // Anthropic: 400
  [/^Your prepayment credits are depleted/, 'quota'], // Google: 429
  [/^Your project has exceeded its (?:monthly )?spending cap/, 'quota'], // Google: 429
]

export const accountClass = (codes: readonly (string | null)[], message: string): FailureClass | undefined =>
  codes.map((code) => BY_CODE.get(code ?? '')).find((known) => known !== undefined) ??
  BY_WORDS.find(([words]) => words.test(message))?.[1]

const MODEL_CODES: ReadonlySet<string | null> = new Set([
  'model_not_found',
  ...['model_permission_blocked_org', 'model_permission_blocked_project'], // Groq
])

const MODEL_WORDS = /^Model disabled|^You don't have access to the model with the specified model ID/ // SiliconFlow, Bedrock

/** The key may not use this one model; another channel may have it. */
export const isForbiddenModel = (status: number, code: string | null, message: string) =>
  status === 403 && (MODEL_CODES.has(code) || MODEL_WORDS.test(message))
