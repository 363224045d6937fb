import { z } from 'zod'
import { BLAME, type FailureClass, failureOf, type UpstreamFailure, VendorError } from '../failure.ts'
import { explainOpenAi } from '../openai/explain.ts'

const Refused = z.object({
  error: z.object({ code: z.coerce.string(), message: z.string().default('') }),
})
const Broken = z.object({ choices: z.array(z.object({ finish_reason: z.string().nullish() })) })

/** An error inside an answer, or an answer aborted by a server error. */
export function throwFailure(body: unknown): void {
  const refused = Refused.safeParse(body).data?.error
  if (refused !== undefined)
    throw new VendorError(failureOf(classOf(refused.code) ?? 'server', refused.message, { code: refused.code }))
  if (Broken.safeParse(body).data?.choices.some(({ finish_reason }) => finish_reason === 'network_error'))
    throw new VendorError(failureOf('server', 'Zhipu broke off the answer', { code: 'network_error' }))
}

/** The code says more than the status: an exhausted account and a rate limit are both 429. */
export function explain(status: number, body: string): UpstreamFailure {
  const failure = explainOpenAi(status, body)
  const known = classOf(failure.code ?? '')
  return known === undefined ? failure : { ...failure, class: known, blame: BLAME[known] }
}

const CLASSES: readonly [FailureClass, readonly string[]][] = [
  ['auth', ['1000', '1001', '1002', '1003', '1004', '1110', '1111', '1112', '1220']],
  ['quota', ['1113', '1304', '1308', '1309', '1310']],
  ['rate', ['1302', '1303', '1305']],
  ['server', ['500', '1120', '1230', '1234']],
  ['client', ['1210', '1211', '1212', '1213', '1214', '1215', '1261', '1300', '1301']],
]

const classOf = (code: string) => CLASSES.find(([, codes]) => codes.includes(code))?.[0]
