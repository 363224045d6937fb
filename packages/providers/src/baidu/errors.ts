import { z } from 'zod'
import { type FailureClass, failureOf, type UpstreamFailure, VendorError } from '../failure.ts'
import { jsonOrUndefined } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'

const Refused = z.object({ error_code: z.int(), error_msg: z.string().default('') })

/** Baidu returns errors with status 200. */
export function throwFailure(body: unknown): void {
  const refused = Refused.safeParse(body).data
  if (refused !== undefined) throw new VendorError(failure(refused))
}

/** The token exchange has another error shape. */
const Denied = z.object({ error: z.string(), error_description: z.string() })

export function explain(status: number, body: string): UpstreamFailure {
  const parsed = jsonOrUndefined(body)
  const refused = Refused.safeParse(parsed).data
  if (refused !== undefined) return failure(refused)
  const denied = Denied.safeParse(parsed).data
  if (denied !== undefined) return failureOf('auth', denied.error_description, { status, code: denied.error })
  return explainOpenAi(status, body)
}

const failure = ({ error_code, error_msg }: z.infer<typeof Refused>) =>
  failureOf(CLASSES[error_code] ?? 'client', error_msg || `Baidu answered with code ${error_code}`, {
    type: 'baidu_error',
    code: String(error_code),
  })

const CLASSES: Record<number, FailureClass> = {
  1: 'server',
  2: 'server',
  4: 'rate',
  6: 'auth',
  13: 'auth',
  14: 'auth',
  15: 'auth',
  17: 'quota', // daily call quota exhausted
  18: 'rate',
  19: 'quota',
  100: 'auth',
  110: 'auth', // the token is invalid
  111: 'auth', // the token has expired
  336000: 'server',
  336005: 'auth', // no permission for this service
  336100: 'rate', // busy
  336200: 'server',
  336501: 'rate',
  336502: 'rate',
}
