import { z } from 'zod'
import { type FailureClass, failureOf, type UpstreamFailure, VendorError } from '../failure.ts'
import { jsonOrUndefined } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'

const Refused = z.object({ Error: z.object({ Code: z.string(), Message: z.string() }) })
const Interrupted = z.object({ ErrorMsg: z.object({ Code: z.number().optional(), Msg: z.string().optional() }) })

/** Tencent returns errors with status 200; a stream that fails reports it in an event. */
export function throwFailure(answer: unknown): void {
  const refused = Refused.safeParse(answer).data?.Error
  if (refused !== undefined) throw new VendorError(failure(refused.Code, refused.Message))
  const interrupted = Interrupted.safeParse(answer).data?.ErrorMsg
  if (interrupted === undefined) return
  const { Code = 0, Msg = 'Hunyuan broke off the answer' } = interrupted
  throw new VendorError(failureOf(Code === 4001 ? 'timeout' : 'server', Msg, { code: String(Code) }))
}

export function explain(status: number, body: string): UpstreamFailure {
  const refused = Envelope.safeParse(jsonOrUndefined(body)).data?.Response.Error
  return refused === undefined ? explainOpenAi(status, body) : failure(refused.Code, refused.Message)
}

const failure = (code: string, message: string) => failureOf(classOf(code), message, { code })

/** The codes are hierarchical; the longest matching prefix decides. */
const CLASSES: [string, FailureClass][] = [
  ['FailedOperation.ResourcePackExhausted', 'quota'],
  ['FailedOperation.FreeResourcePackExhausted', 'quota'],
  ['FailedOperation.ServiceStopArrears', 'quota'],
  ['ResourceUnavailable.InArrears', 'quota'],
  ['ResourceUnavailable.LowBalance', 'quota'],
  ['FailedOperation.ServiceNotActivated', 'auth'],
  ['FailedOperation.ServiceStop', 'auth'],
  ['FailedOperation.UserUnAuthError', 'auth'],
  ['FailedOperation.EngineRequestTimeout', 'timeout'],
  ['FailedOperation.EngineServerLimitExceeded', 'rate'],
  ['AuthFailure', 'auth'],
  ['UnauthorizedOperation', 'auth'],
  ['LimitExceeded', 'rate'],
  ['RequestLimitExceeded', 'rate'],
  ['InternalError', 'server'],
  ['FailedOperation', 'server'],
  ['ResourceUnavailable', 'server'],
  ['ResourceInsufficient', 'server'],
]

const classOf = (code: string): FailureClass => CLASSES.find(([family]) => code.startsWith(family))?.[1] ?? 'client'

const Envelope = z.object({ Response: Refused })
