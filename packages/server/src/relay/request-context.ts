import type { Language } from '../common/errors.ts'
import type { RecordedCall } from '../recordings/recorded-call.ts'
import type { CallTrace } from '../telemetry/call-trace.ts'
import type { RelayCaller } from './caller/keys.ts'
import type { Candidates } from './candidates.ts'
import type { Conversation } from './realtime/client-socket.ts'
import type { Call } from './surfaces/call.ts'

/** What is known of a request before it is parsed, and what an error can report of it later. */
export interface RequestContext {
  requestId: string
  ip: string
  language: Language
  /** Idle timeout of the client's connection in seconds from now on; 0 for none. */
  setIdleTimeout(seconds: number): void
  /** Upgrades the request to a WebSocket for the conversation; false when the client is gone. */
  upgrade(conversation: Conversation, headers: Record<string, string>): boolean
  /** The owner of the key, even a refused one. */
  caller: RelayCaller | undefined
  call: Call | undefined
  /** Set when none of them could be used. */
  candidates: Candidates | undefined
  /** Its caller's limits have counted it as a request. A fallback model that answers it is part of the same request. */
  isCounted: boolean
  /** From here on the settlement writes the call's log entry. */
  isHeld: boolean
  /** The recording of the call; undefined unless it is recorded. */
  recording: RecordedCall | undefined
  /** Undefined when calls are not traced. */
  trace: CallTrace | undefined
}
