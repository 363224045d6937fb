import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { isFields } from '../json.ts'
import { decodeResponse } from '../responses/decode.ts'
import { responseStreamDecoder } from '../responses/stream-decode.ts'
import { chatStreamDecoder, decodeChat } from './chat-decode.ts'

/*
 * Vendors of OpenAI's dialect answer as chat completions or as Responses: some models only support the latter, and some base
 * URLs serve either. The answer itself shows which it is.
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

/** Anywhere in the event: vendors order its members freely. Inside a text it would be escaped. */
const RESPONSE = /"type"\s*:\s*"response\./
