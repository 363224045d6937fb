import { defined } from '../json.ts'
import type { MessageQuirk } from '../openai/quirks.ts'

/* Clients send reasoning back as `reasoning_content`, as DeepSeek wants it. Strict vendors refuse the member. */

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
