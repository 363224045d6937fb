import { type FailureClass, failureOf, type UpstreamFailure, VendorError } from '../failure.ts'
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../json.ts'
import { isForbiddenModel } from '../openai/account-errors.ts'
import { classOf, forbiddenModel } from '../openai/explain.ts'
import { bounded } from '../retry-after.ts'

/** `{ error: { code, message, status, details } }`, sometimes as the only element of a list. */
export function explainGoogle(status: number, body: string): UpstreamFailure {
  const error = errorIn(parsed(body)) ?? {}
  return toFailure(error, status)
}

/** An error inside an answer or a stream whose HTTP status was 200. */
export function errorOf(body: unknown): VendorError | undefined {
  const error = errorIn(body)
  if (error === undefined) return undefined
  return new VendorError(toFailure(error, typeof error.code === 'number' ? error.code : 502))
}

function toFailure(error: Fields, status: number): UpstreamFailure {
  const kind = textOf(error.status) ?? ''
  const details = listOf(error.details).map(fieldsOf)
  const message = textOf(error.message) ?? `The upstream answered with status ${status}`
  if (isForbiddenModel(status, [], message)) return forbiddenModel(message)
  const delay = details.map(({ retryDelay }) => seconds(retryDelay)).find((sec) => sec !== undefined)
  const isReference = status === 403 && REFERENCE.test(message)
  const failureClass = isReference ? 'client' : googleClass(status, kind, { message, details })
  return failureOf(failureClass, message, {
    status: isReference ? 400 : status,
    type: kind === '' ? 'upstream_error' : (TYPES[failureClass] ?? 'server_error'),
    code: kind === '' ? null : kind,
    ...(delay === undefined ? {} : { retryAfterSec: delay }),
  })
}

/**
 * A caller may refer to any file or cached content. One that belongs to another key is refused with 403, which says nothing about ours:
 * otherwise one such request would disable the channel for everybody.
 */
const REFERENCE = /permission to access the File|CachedContent not found|storage\.objects\.get/

const ABOUT_FILE = /^The [Ff]ile \S+ is not in an ACTIVE state/

/** In OpenAI's words, which the callers of other dialects know. */
const TYPES: Partial<Record<FailureClass, string>> = {
  client: 'invalid_request_error',
  rate: 'rate_limit_error',
  auth: 'authentication_error',
  quota: 'insufficient_quota',
}

/** A wrong key and an unsupported region are reported as malformed requests, but are the channel's fault. A file that is not ready is not. */
function googleClass(
  status: number,
  kind: string,
  { message, details }: { message: string; details: Fields[] },
): FailureClass {
  if (details.some(({ reason }) => reason === 'API_KEY_INVALID') || message.includes('API key not valid')) return 'auth'
  if (kind === 'FAILED_PRECONDITION' && message.includes('billing')) return 'quota'
  if (kind === 'FAILED_PRECONDITION') return ABOUT_FILE.test(message) ? 'client' : 'auth'
  if (details.some(({ reason }) => reason === 'BILLING_DISABLED')) return 'quota'
  return classOf(status, [], message)
}

const seconds = (delay: unknown) => {
  const [, sec] = typeof delay === 'string' ? (/^(\d+(?:\.\d+)?)s$/.exec(delay) ?? []) : []
  return sec === undefined ? undefined : bounded(Number(sec))
}

const errorIn = (body: unknown): Fields | undefined => {
  const { error } = fieldsOf(Array.isArray(body) ? body[0] : body)
  return isFields(error) ? error : undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
