import type { Dialect } from '../dialect.ts'
import { openAiError } from '../openai/error-body.ts'
import { parseResponses } from './parse.ts'
import { responseStream } from './stream.ts'
import { wholeResponse } from './whole.ts'

/** Clients that speak OpenAI's Responses. */
export const openAiResponses: Dialect = {
  parse: parseResponses,
  whole: wholeResponse,
  stream: responseStream,
  error: openAiError,
}
