import type { Dialect } from '../dialect.ts'
import { chatStream } from './chat-stream.ts'
import { wholeChat } from './chat-whole.ts'
import { openAiError } from './error-body.ts'
import { parseChatCompletion } from './parse.ts'

/** Clients that speak chat completions. */
export const openAiChat: Dialect = {
  parse: parseChatCompletion,
  whole: wholeChat,
  stream: chatStream,
  error: openAiError,
}
