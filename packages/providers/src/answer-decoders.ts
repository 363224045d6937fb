import { decodeMessage } from './anthropic/decode.ts'
import { messageStreamDecoder } from './anthropic/stream-decode.ts'
import type { ChatAdapter, StreamEvent } from './chat-adapter.ts'
import { decodeGenerate, generateStreamDecoder } from './gemini/decode.ts'
import { type Fields, isFields, jsonOrUndefined, listOf } from './json.ts'
import { chatStreamDecoder, decodeChat } from './openai/chat-decode.ts'
import { decodeResponse } from './responses/decode.ts'
import { responseStreamDecoder } from './responses/stream-decode.ts'

/** Reads the answers of a dialect, whoever sends them. */
export type AnswerDecoder = Pick<ChatAdapter, 'decode' | 'streamDecoder'>

export const answerDecoders = {
  'openai/chat': { decode: decodeChat, streamDecoder: chatStreamDecoder },
  /** The text of a choice is where a chat has a message. */
  'openai/completions': {
    decode: (body) => decodeChat(asChat(body, 'message')),
    streamDecoder() {
      const decode = chatStreamDecoder()
      return ({ event, data }: StreamEvent) => {
        const body = jsonOrUndefined(data)
        return decode({ event, data: isFields(body) ? JSON.stringify(asChat(body, 'delta')) : data })
      }
    },
  },
  'anthropic/messages': { decode: decodeMessage, streamDecoder: messageStreamDecoder },
  'gemini/generate': { decode: decodeGenerate, streamDecoder: generateStreamDecoder },
  responses: { decode: decodeResponse, streamDecoder: responseStreamDecoder },
} as const satisfies Record<string, AnswerDecoder>

function asChat(body: unknown, piece: 'message' | 'delta'): unknown {
  if (!isFields(body)) return body
  const choices = listOf(body.choices).map((choice) => (isFields(choice) ? withMessage(choice, piece) : choice))
  return { ...body, choices }
}

const withMessage = ({ text, ...choice }: Fields, piece: 'message' | 'delta'): Fields => ({
  ...choice,
  [piece]: { content: text },
})
