import type { ChatMessage, TextContent, UserContent } from './chat.ts'

/**
 * Many open models know instructions only as the first message, and their servers refuse others: "System message must be at the
 * beginning". Agents give several of them, and more in the middle of a conversation, where Claude's and OpenAI's models heed them: those
 * become the user's words, in their place, so that what was cached before them stays so.
 */
export function withLeadingInstructions(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const found = messages.findIndex((message) => !isInstruction(message))
  const start = found < 0 ? messages.length : found
  const leading = messages.slice(0, start).filter(isInstruction)
  const rest = messages.slice(start)
  if (leading.length < 2 && !rest.some(isInstruction)) return messages
  const first = leading.flatMap(({ content }): TextContent[] => content)
  return [...(leading.length === 0 ? [] : [{ role: 'system' as const, content: first }]), ...asWords(rest)]
}

type Instruction = Extract<ChatMessage, { role: 'system' | 'developer' }>

const isInstruction = (message: ChatMessage): message is Instruction =>
  message.role === 'system' || message.role === 'developer'

/** Words that follow one another are one message: some models want a turn for each. */
function asWords(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = []
  let given = false
  for (const message of messages) {
    const last = turns.at(-1)
    const isGiven = isInstruction(message)
    if (last?.role === 'user' && (isGiven || (given && message.role === 'user'))) {
      const more: UserContent[] = message.content
      turns[turns.length - 1] = { ...last, content: [...last.content, ...more] }
    } else turns.push(isGiven ? { role: 'user', content: message.content } : message)
    given = isGiven
  }
  return turns
}
