import { failureOf, VendorError } from '../failure.ts'
import type { Fields } from '../json.ts'
import { embeddedError } from './embedded-error.ts'

/** Finish reasons that are errors: Mistral and OpenRouter send the first, Zhipu the second, vLLM and SGLang the third. */
const BROKEN: ReadonlySet<unknown> = new Set(['error', 'network_error', 'abort'])

/** The error with which a choice of an answer, or of a chunk, ended. */
export const brokenFinish = (choice: Fields): VendorError | undefined =>
  BROKEN.has(choice.finish_reason)
    ? (embeddedError(choice) ?? new VendorError(failureOf('server', 'The upstream stopped with an error')))
    : undefined
