import type { Dialect } from '../dialect.ts'
import { chatResponse } from './chat-response.ts'
import { chatStream } from './chat-stream.ts'
import { openAiError } from './error-body.ts'
import { parseChatCompletion } from './parse.ts'

/** Clients that speak chat completions. */
export const openAiChat: Dialect = {
  parse: parseChatCompletion,
  whole: chatResponse,
  stream: chatStream,
  error: openAiError,
}
