import type { Language } from '../common/errors.ts'
import type { Conversation } from './realtime/client-socket.ts'

/** What is known of a request before anybody looked into it. */
export interface RequestContext {
  requestId: string
  ip: string
  language: Language
  /** How many seconds the caller's connection may be quiet from now on; 0 is for ever. */
  setIdleTimeout(seconds: number): void
  /** Makes a WebSocket of the request, and the conversation its other end; false when the caller is gone. */
  upgrade(conversation: Conversation, headers: Record<string, string>): boolean
}
