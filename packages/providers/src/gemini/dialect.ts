import type { Dialect } from '../dialect.ts'
import { googleError } from './error-body.ts'
import { parseGenerate } from './parse.ts'
import { generateStream } from './stream.ts'
import { wholeGenerate } from './whole.ts'

/** Clients that speak Google's generateContent. */
export const geminiGenerate: Dialect = {
  parse: parseGenerate,
  whole: wholeGenerate,
  stream: generateStream,
  error: googleError,
}
