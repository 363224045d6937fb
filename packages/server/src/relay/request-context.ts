import type { Language } from '../common/errors.ts'
import type { RecordedCall } from '../recordings/recorded-call.ts'
import type { CallTrace } from '../telemetry/call-trace.ts'
import type { RelayCaller } from './caller/keys.ts'
import type { Candidates } from './candidates.ts'
import type { Conversation } from './realtime/client-socket.ts'
import type { Call } from './surfaces/call.ts'

/** What is known of a request before anybody looked into it, and what a refusal can say of it later. */
export interface RequestContext {
  requestId: string
  ip: string
  language: Language
  /** How many seconds the caller's connection may be quiet from now on; 0 is for ever. */
  setIdleTimeout(seconds: number): void
  /** Makes a WebSocket of the request, and the conversation its other end; false when the caller is gone. */
  upgrade(conversation: Conversation, headers: Record<string, string>): boolean
  /** Whose key it is, be it one that is refused. */
  caller: RelayCaller | undefined
  call: Call | undefined
  /** Where none of them could be taken. */
  candidates: Candidates | undefined
  /** From here on the settlement writes the call's entry in the log. */
  isHeld: boolean
  /** The copy that is taken of it; undefined for all calls but those that somebody wants kept. */
  recording: RecordedCall | undefined
  /** Undefined where nobody is told of calls. */
  trace: CallTrace | undefined
}
