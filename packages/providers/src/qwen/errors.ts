import { z } from 'zod'
import { BLAME, type FailureClass, failureOf, type UpstreamFailure, VendorError } from '../failure.ts'
import { explainOpenAi } from '../openai/explain.ts'

const Refused = z.object({ code: z.string().min(1), message: z.string().default('') })

export const isRefusal = (body: unknown) => Refused.safeParse(body).success

/** An error event of a stream, or an error in place of an answer. */
export function throwFailure(body: unknown): void {
  const refused = Refused.safeParse(body).data
  if (refused === undefined) return
  throw new VendorError(failureOf(classOf(refused.code) ?? 'server', refused.message, { code: refused.code }))
}

/** Account errors often have status 400, so the code takes precedence. */
export function explain(status: number, body: string): UpstreamFailure {
  const failure = explainOpenAi(status, body)
  const known = classOf(failure.code ?? '')
  return known === undefined ? failure : { ...failure, class: known, blame: BLAME[known] }
}

const CLASSES: [string, FailureClass][] = [
  ['Arrearage', 'quota'],
  ['PrepaidBillOverdue', 'quota'],
  ['PostpaidBillOverdue', 'quota'],
  ['CommodityNotPurchased', 'quota'],
  ['InsufficientQuota', 'quota'],
  ['AllocationQuota', 'quota'],
  ['InvalidApiKey', 'auth'],
  ['AccessDenied', 'auth'],
  ['Workspace.AccessDenied', 'auth'],
  ['Throttling', 'rate'],
  ['LimitRequests', 'rate'],
  ['InternalError.Timeout', 'timeout'],
  ['RequestTimeOut', 'timeout'],
  ['ResponseTimeout', 'timeout'],
  ['InternalError', 'server'],
  ['SystemError', 'server'],
  ['ServiceUnavailable', 'server'],
  ['ModelUnavailable', 'server'],
  ['DataInspectionFailed', 'client'],
  ['InvalidParameter', 'client'],
  ['BadRequest', 'client'],
  ['ModelNotFound', 'client'],
]

const classOf = (code: string) => CLASSES.find(([family]) => code.startsWith(family))?.[1]
