import type { ChatPart } from './chat.ts'
import { failureOf, VendorError } from './failure.ts'

/**
 * The error of an answer that was refused for its content, as some vendors send it instead; undefined if any of its choices was not. Of
 * the beginning of a stream, only what precedes the first output counts, and all of this many choices have to be refused.
 */
export function refusalIn(parts: readonly ChatPart[], choices = 1): VendorError | undefined {
  const answered = new Set<number>()
  const refused = new Set<number>()
  for (const part of parts) {
    if (!('choice' in part)) continue
    answered.add(part.choice)
    if (part.type === 'refusal' || (part.type === 'finish' && part.reason === 'content_filter'))
      refused.add(part.choice)
  }
  if (refused.size < Math.max(choices, answered.size)) return undefined
  const notice = parts.find((part) => part.type === 'refusal' && part.notice)
  // What a model wrote is not for the log; what a filter says of itself is.
  const message = notice?.type === 'refusal' ? `The upstream refused this content: ${notice.text}` : REFUSED
  return new VendorError(failureOf('client', message, { code: 'content_filter' }))
}

const REFUSED = 'The upstream refused this content'

/** Where a caller would first see output of the model; -1 for nowhere. */
export const firstOutput = (parts: readonly ChatPart[]) => parts.findIndex(isOutput)

/** How many pieces of output there are. */
export const outputsIn = (parts: readonly ChatPart[]) => parts.filter(isOutput).length

/** A signature is not output: many models think in secret before they refuse. */
function isOutput(part: ChatPart) {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text !== ''
    case 'tool-call':
    case 'image':
    case 'audio':
      return true
    default:
      return false
  }
}
