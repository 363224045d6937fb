import { z } from 'zod'
import { BLAME, type FailureClass, failureOf, type UpstreamFailure, VendorError } from '../failure.ts'
import { explainOpenAi } from '../openai/explain.ts'

const Refused = z.object({ code: z.int(), msg: z.string().default('') })

/** Coze returns errors with status 200 and a non-zero code. */
export function throwFailure(body: unknown): void {
  const refused = Refused.safeParse(body).data
  if (refused === undefined || refused.code === 0) return
  const { code, msg } = refused
  const message = msg || `Coze answered with code ${code}`
  throw new VendorError(failureOf(CLASSES[code] ?? 'server', message, { code: String(code) }))
}

export function explain(status: number, body: string): UpstreamFailure {
  const failure = explainOpenAi(status, body)
  const known = CLASSES[Number(failure.code ?? Number.NaN)]
  return known === undefined ? failure : { ...failure, class: known, blame: BLAME[known] }
}

const CLASSES: Record<number, FailureClass> = {
  4000: 'client',
  4001: 'client',
  4008: 'quota',
  4009: 'rate',
  4010: 'quota',
  4011: 'quota', // balance exhausted
  4013: 'rate',
  4014: 'timeout',
  4015: 'auth', // the bot is not published for API use
  4016: 'rate', // the conversation is busy
  4019: 'quota',
  4027: 'quota',
  4028: 'quota',
  4100: 'auth',
  4101: 'auth',
  4200: 'client', // no such bot or conversation
  5000: 'server',
  700012006: 'auth',
  702093018: 'rate',
}
