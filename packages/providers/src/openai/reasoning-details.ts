import type { AssistantContent } from '../chat.ts'
import { defined } from '../json.ts'
import { signatureFor } from '../signature.ts'

/** Reasoning in OpenRouter's format, for the vendor of the model that signed it; other vendors cannot use it. */
export function reasoningDetails(content: readonly AssistantContent[], model: string): object[] | undefined {
  const details = model.includes('gemini') ? content.flatMap(ofGemini) : content.flatMap(ofClaude)
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

/** A signature belongs to a call and names it: the call at its position, the next one, or else the first. */
function ofGemini(part: AssistantContent, at: number, all: readonly AssistantContent[]): object[] {
  if (part.type !== 'reasoning' && part.type !== 'tool-call') return []
  const data = signatureFor('gemini', part.signature)
  if (data === undefined) return []
  const id = firstCall(all.slice(at)) ?? firstCall(all)
  return [defined({ type: 'reasoning.encrypted', id, data, format: 'google-gemini-v1', index: at })]
}

const firstCall = (content: readonly AssistantContent[]) => content.find((part) => part.type === 'tool-call')?.id
