import { z } from 'zod'
import { BLAME, type FailureClass, type UpstreamFailure } from '../failure.ts'

const ErrorObject = z.object({
  message: z.string().optional(),
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  param: z.unknown().optional(),
})

/** OpenAI's `{ error: { message, type, code } }`, and the variants of compatible vendors. */
const ErrorBody = z.union([
  z.object({ error: ErrorObject }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }): z.infer<typeof ErrorObject> => ({ message: error })),
  z
    .object({
      message: z.string().optional(),
      msg: z.string().optional(),
      code: z.union([z.string(), z.number()]).nullish(),
    })
    .transform((body): z.infer<typeof ErrorObject> => ({ message: body.message ?? body.msg, code: body.code })),
])

export const explainOpenAi = (status: number, body: string): UpstreamFailure => {
  const error = parsedError(body)
  const code = error?.code == null ? null : String(error.code)
  const type = error?.type ?? ''
  const failureClass = classOf(status, type, code)
  return {
    class: failureClass,
    blame: BLAME[failureClass],
    status,
    message: error?.message ?? `The upstream answered with status ${status}`,
    type: type || 'upstream_error',
    code,
    param: typeof error?.param === 'string' ? error.param : null,
  }
}

const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'])
const AUTH_CODES = new Set(['invalid_api_key', 'account_deactivated', 'authentication_error', 'permission_error'])

/**
 * The status says most of it. Quota errors often come as 429, and only the code shows that waiting will not help; 404 may
 * be a model that another channel has.
 */
export function classOf(status: number, type: string, code: string | null): FailureClass {
  if (QUOTA_CODES.has(code ?? '') || QUOTA_CODES.has(type) || status === 402) return 'quota'
  if (status === 401 || status === 403 || AUTH_CODES.has(code ?? '') || AUTH_CODES.has(type)) return 'auth'
  if (status === 429) return 'rate'
  if (status === 408 || status === 504 || status === 524) return 'timeout'
  if (status >= 500) return 'server'
  return 'client'
}

function parsedError(body: string) {
  try {
    return ErrorBody.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}
