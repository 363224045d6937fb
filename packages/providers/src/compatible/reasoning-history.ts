import { defined, type Fields } from '../json.ts'
import type { MessageQuirk } from '../openai/quirks.ts'

/* Clients send reasoning back as `reasoning_content`, as DeepSeek wants it, or not at all. Strict vendors refuse the member. */

const concerns = /"reasoning_content"/

/** Groq has models that refuse the reasoning of earlier turns under any name. */
export const withoutReasoning: MessageQuirk = {
  concerns,
  rewrite: ({ reasoning_content: _, ...message }) => message,
}

/** Cerebras calls it `reasoning`. */
export const asReasoning: MessageQuirk = {
  concerns,
  rewrite: ({ reasoning_content, ...message }) =>
    defined({ ...message, reasoning: message.reasoning ?? (reasoning_content || undefined) }),
}

/**
 * DeepSeek's models refuse a conversation in which an answer has no reasoning while they think, whoever gave that answer, and whether
 * the caller's client kept it or not.
 */
export const someReasoning: MessageQuirk = {
  concerns: /"assistant"/,
  rewrite: (message) => (message.role === 'assistant' ? reasoned(message) : message),
}

/** Moonshot's refuse it where the answer calls tools. */
export const someReasoningBeforeCalls: MessageQuirk = {
  concerns: /"tool_calls"/,
  rewrite: (message) =>
    Array.isArray(message.tool_calls) && message.tool_calls.length > 0 ? reasoned(message) : message,
}

/** Nothing but a blank can stand for it: they refuse empty text. */
const reasoned = (message: Fields): Fields => ({ ...message, reasoning_content: message.reasoning_content || ' ' })
