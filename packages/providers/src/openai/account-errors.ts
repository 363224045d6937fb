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
  ...classed('quota', ['AccountOverdueError', 'SetLimitExceeded', 'OperationDenied.ServiceOverdue']), // Volcengine
  ...classed('quota', ['InvalidSubscription']), // Volcengine: 400
  ...classed('quota', ['insufficient_user_quota', 'pre_consume_token_quota_failed', 'budget_exceeded']), // other gateways
  ...classed('auth', ['invalid_api_key', 'account_deactivated', 'authentication_error', 'permission_error']),
  ...classed('auth', ['access_terminated']), // OpenAI: 429
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
  [/^This credential is only authorized for use with Claude Code/, 'auth'], // Anthropic: 400
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
  ...['model_terms_required', 'model_decommissioned'], // Groq
  'invalid_model', // Perplexity, Mistral
  ...['model_not_available', 'model_not_supported'], // Together, Hugging Face
  'no_access', // GitHub
  'Model.AccessDenied', // Alibaba
  'DeploymentNotFound', // Azure
  ...['ModelNotOpen', 'UnsupportedModel', 'ModelAccessDenied', 'OperationDenied.ServiceNotOpen'], // Volcengine
  ...['InvalidEndpointOrModel.NotFound', 'InvalidEndpointOrModel.ModelIDAccessDisabled'], // Volcengine
])

/** By the beginning of the message, before anything that a caller wrote. */
const MODEL_WORDS: readonly RegExp[] = [
  /^Your organization must be verified to /, // OpenAI
  /^model: \S+$/, // Anthropic
  /^models\/\S+ is not /, // Google
  /^Publisher [Mm]odel `|^Project \S+ is not allowed to use Publisher Model/, // Google
  /^You don't have access to the model with the specified model ID/, // Bedrock, and the next ones
  /^Model access is denied due to IAM user/,
  /^Model use case details have not been submitted/,
  /^Invocation of model ID \S+ with on-demand throughput isn/,
  /^The provided model identifier is invalid/,
  /^This model version has reached the end of its life|^(?:Access denied\. )?This Model is marked by provider as Legacy/,
  /^Model disabled|^Model does not exist/, // SiliconFlow
  /^The model \S+ does not exist or your team/, // xAI
  /^Model Not Exist$/, // DeepSeek
  /^Not found the model/, // Moonshot
  /^model '\S+' (?:not found|was removed)/, // Cohere
  /^Model not found, inaccessible, and\/or not deployed/, // Fireworks
  /^No (?:endpoints found|endpoints available|allowed providers)/, // OpenRouter
  /^Access to model \S+ is restricted/, // Hugging Face
  /^Function \S+ Not found for account/, // NVIDIA
]

const MODEL_STATUSES: ReadonlySet<number> = new Set([400, 403, 404])

/** The key may not use this one model, or its account does not have it; another channel may. */
export const isForbiddenModel = (status: number, codes: readonly (string | null)[], message: string) =>
  MODEL_STATUSES.has(status) &&
  (codes.some((code) => MODEL_CODES.has(code)) || MODEL_WORDS.some((words) => words.test(message)))

/** Larger than what the key's limit allows in a minute: waiting does not help, but another key may have a higher limit. */
export const isTooLargeForKey = (status: number, message: string) =>
  (status === 413 || status === 429) && /^Request too large for .+ Limit \d+, Requested \d+/.test(message)

/** Refusals with the status of a wrong key that are about what the caller sent or referred to. */
export const isAboutRequest = (status: number, code: string | null, message: string) =>
  status === 403 && (REQUEST_CODES.test(code ?? '') || REQUEST_WORDS.test(message))

/** Volcengine: contexts and files that are not ready, its own storage. */
const REQUEST_CODES = /^OperationDenied\.(?!Service|PermissionDenied)/
/** Together */
const REQUEST_WORDS = /^(?:The )?[Ii]nput token count \+ |^Input validation error/
