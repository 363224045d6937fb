import type { Dialect } from '../dialect.ts'
import { googleError } from './error-body.ts'
import { parseGenerate } from './parse.ts'
import { generateResponse } from './response.ts'
import { generateStream } from './stream.ts'

/** Clients that speak Google's generateContent. */
export const geminiGenerate: Dialect = {
  parse: parseGenerate,
  whole: generateResponse,
  stream: generateStream,
  error: googleError,
}
