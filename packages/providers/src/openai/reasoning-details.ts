import type { AssistantContent } from '../chat.ts'
import { defined } from '../json.ts'
import { signatureFor } from '../signature.ts'

/** Reasoning in OpenRouter's format, for the vendor of the model that signed it; other vendors cannot use it. */
export function reasoningDetails(content: readonly AssistantContent[], model: string): object[] | undefined {
  const details = model.includes('gemini') ? content.flatMap(ofGemini(callsFrom(content))) : content.flatMap(ofClaude)
  return details.length === 0 ? undefined : details
}

/** Signed text and redacted reasoning. */
function ofClaude(part: AssistantContent): object[] {
  if (part.type !== 'reasoning') return []
  const { text, signature, redacted } = part
  if (redacted !== undefined) return [{ type: 'reasoning.encrypted', data: redacted, format: 'anthropic-claude-v1' }]
  const own = signatureFor('claude', signature)
  return own === undefined ? [] : [{ type: 'reasoning.text', text, signature: own, format: 'anthropic-claude-v1' }]
}

/** A signature belongs to a call and names it. */
const ofGemini =
  (calls: readonly (string | undefined)[]) =>
  (part: AssistantContent, at: number): object[] => {
    if (part.type !== 'reasoning' && part.type !== 'tool-call') return []
    const data = signatureFor('gemini', part.signature)
    if (data === undefined) return []
    return [defined({ type: 'reasoning.encrypted', id: calls[at], data, format: 'google-gemini-v1', index: at })]
  }

/** For each part, the id of the call at its position, of the next one, or else of the first. */
function callsFrom(content: readonly AssistantContent[]): (string | undefined)[] {
  let next = content.find((part) => part.type === 'tool-call')?.id
  return content
    .toReversed()
    .map((part) => {
      if (part.type === 'tool-call') next = part.id
      return next
    })
    .reverse()
}
