import type { Dialect } from '../dialect.ts'
import { anthropicError } from './error-body.ts'
import { parseMessages } from './parse.ts'
import { messageResponse } from './response.ts'
import { messageStream } from './stream.ts'

/** Clients that speak Anthropic's Messages. */
export const anthropicMessages: Dialect = {
  parse: parseMessages,
  whole: messageResponse,
  stream: messageStream,
  error: anthropicError,
}
