import { decodeMessage } from '../anthropic/decode.ts'
import { messageStreamDecoder } from '../anthropic/stream-decode.ts'
import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { decodeGenerate, generateStreamDecoder } from '../gemini/decode.ts'
import { fieldsOf, parseVendorJson } from '../json.ts'
import { chatStreamDecoder, decodeChat } from '../openai/chat-decode.ts'

/* Each publisher answers in its own dialect, and the answer shows which one it is. */

export const decodeVertex = (body: unknown): ChatPart[] => DECODERS[dialectOf(body)].whole(body)

/** The first event decides for the whole stream. */
export function vertexStreamDecoder(): (event: StreamEvent) => ChatPart[] {
  let decode: ((event: StreamEvent) => ChatPart[]) | undefined
  return (event) => {
    if (event.data === '') return []
    decode ??= DECODERS[dialectOf(parseVendorJson(event.data))].stream()
    return decode(event)
  }
}

const DECODERS = {
  google: { whole: decodeGenerate, stream: generateStreamDecoder },
  anthropic: { whole: decodeMessage, stream: messageStreamDecoder },
  openapi: { whole: decodeChat, stream: chatStreamDecoder },
}

function dialectOf(body: unknown): keyof typeof DECODERS {
  const fields = fieldsOf(body)
  if (typeof fields.type === 'string') return 'anthropic'
  return 'choices' in fields || 'object' in fields ? 'openapi' : 'google'
}
