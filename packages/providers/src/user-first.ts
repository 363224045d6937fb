import type { ChatMessage } from './chat.ts'

/**
 * Several vendors want the user to begin, and refuse a conversation that a greeting or a call of the model opens. What a user would say before
 * it nobody knows; an empty text is refused too.
 */
export function withUserFirst(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  if (messages[first]?.role !== 'assistant') return messages
  return [...messages.slice(0, first), NOTHING_SAID, ...messages.slice(first)]
}

const NOTHING_SAID: ChatMessage = { role: 'user', content: [{ type: 'text', text: '.' }] }
