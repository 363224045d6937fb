import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { isFields } from '../json.ts'
import { decodeResponse } from '../responses/decode.ts'
import { responseStreamDecoder } from '../responses/stream-decode.ts'
import { chatStreamDecoder, decodeChat } from './chat-decode.ts'

/*
 * Vendors of OpenAI's dialect answer as chat completions or as Responses: some models speak only the latter, and some
 * addresses lead to either. What comes tells which it is.
 */

export const decodeEither = (body: unknown): ChatPart[] =>
  isFields(body) && body.object === 'response' ? decodeResponse(body) : decodeChat(body)

export function eitherStreamDecoder(): (event: StreamEvent) => ChatPart[] {
  let decode: ((event: StreamEvent) => ChatPart[]) | undefined
  return (event) => {
    decode ??= RESPONSE.test(event.data) ? responseStreamDecoder() : chatStreamDecoder()
    return decode(event)
  }
}

/** Wherever in the event it stands: vendors order its members as they like. Inside a text it would have backslashes. */
const RESPONSE = /"type"\s*:\s*"response\./
