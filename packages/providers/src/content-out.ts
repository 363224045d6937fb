import { type Fields, isFields } from './json.ts'

/**
 * The arguments of a call as an object, for dialects that require one. A model may stop in the middle of them; then there
 * is no object, and the finish reason says why.
 */
export function argumentsOrEmpty(text: string): Fields {
  try {
    const parsed: unknown = JSON.parse(text)
    return isFields(parsed) ? parsed : {}
  } catch {
    return {}
  }
}
