import type { ChatMessage } from './chat.ts'

/** Claude from 4.6 on does not finish a message that was begun for it, as chat programs do to continue an answer: it has to be asked. */
export const withUserLast = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.findLast(({ role }) => role !== 'system' && role !== 'developer')?.role === 'assistant'
    ? [...messages, CONTINUE]
    : messages

const CONTINUE: ChatMessage = { role: 'user', content: [{ type: 'text', text: 'Continue.' }] }
