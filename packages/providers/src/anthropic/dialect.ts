import type { Dialect } from '../dialect.ts'
import { anthropicError } from './error-body.ts'
import { parseMessages } from './parse.ts'
import { messageStream } from './stream.ts'
import { wholeMessage } from './whole.ts'

/** Clients that speak Anthropic's Messages. */
export const anthropicMessages: Dialect = {
  parse: parseMessages,
  whole: wholeMessage,
  stream: messageStream,
  error: anthropicError,
}
