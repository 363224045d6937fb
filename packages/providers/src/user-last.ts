import type { ChatMessage } from './chat.ts'

/**
 * Programs write hints in the model's name at the end of a conversation, or send one again whose answer was cut off. OpenAI's models answer
 * once more; models that want the user to have the last word refuse it.
 */
export function withUserLast(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = messages.findLast(({ role }) => role !== 'system' && role !== 'developer')
  if (last?.role !== 'assistant') return messages
  // A call without its result is another mistake, which the vendor names.
  return last.content.some(({ type }) => type === 'tool-call') ? messages : [...messages, CONTINUE]
}

const CONTINUE: ChatMessage = { role: 'user', content: [{ type: 'text', text: 'Continue.' }] }
