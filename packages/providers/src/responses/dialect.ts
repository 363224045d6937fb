import type { Dialect } from '../dialect.ts'
import { openAiError } from '../openai/error-body.ts'
import { completeResponse } from './complete-response.ts'
import { parseResponses } from './parse.ts'
import { responseStream } from './stream.ts'

/** Clients that speak OpenAI's Responses. */
export const openAiResponses: Dialect = {
  parse: parseResponses,
  whole: completeResponse,
  stream: responseStream,
  error: openAiError,
}
