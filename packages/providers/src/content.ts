import type { ChatMessage } from './chat.ts'
import { type Fields, isFields, jsonOrUndefined } from './json.ts'
import { badRequest } from './strict.ts'

type AnyContent = ChatMessage['content'][number]

/** The text of a message for text-only vendors: each part on its own line, a refusal as its text. */
export const plainText = (content: readonly AnyContent[]) =>
  content.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join('\n')

/** The result of a tool, for vendors that refuse an empty one: many commands succeed without a word. */
export const toolText = (content: readonly AnyContent[]) => plainText(content) || '(no output)'

export const reasoningOf = (content: readonly AnyContent[]) =>
  content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n')

export const toolCallsOf = (content: readonly AnyContent[]) => content.filter((part) => part.type === 'tool-call')

/** What most vendors support; other content was refused earlier. */
export const textAndImages = (content: readonly AnyContent[]) =>
  content.filter((part) => part.type === 'text' || part.type === 'image')

export const imagesOf = (content: readonly AnyContent[]) => content.filter((part) => part.type === 'image')

/** The user's last message, for services that answer a single question. */
export const lastQuestion = (messages: readonly ChatMessage[]) =>
  plainText((messages.findLast(({ role }) => role === 'user') ?? messages.at(-1))?.content ?? [])

/** System instructions apart from the turns, for vendors that take them separately. */
export function splitSystem(messages: readonly ChatMessage[]) {
  const system = messages.filter((message) => message.role === 'system' || message.role === 'developer')
  const turns = messages.filter((message) => message.role !== 'system' && message.role !== 'developer')
  return { system: system.map(({ content }) => plainText(content)).join('\n\n'), turns }
}

/** Merges consecutive messages of one role, for vendors that require alternating turns. */
export function mergeNeighbours(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === 'user' && message.role === 'user') last.content.push(...message.content)
    else if (last?.role === 'assistant' && message.role === 'assistant') last.content.push(...message.content)
    else merged.push(withOwnContent(message))
  }
  return merged
}

/** Appends the user's text after tool results to the last result, for vendors that accept only one of the two per turn. */
export function textInResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    const texts = message.role === 'user' ? message.content.filter((part) => part.type === 'text') : []
    // Images cannot be part of a result.
    if (last?.role !== 'tool' || texts.length === 0 || texts.length < message.content.length)
      joined.push(withOwnContent(message))
    else last.content.push(...texts)
  }
  return joined
}

/**
 * A copy that grows while the request stays as it is: a new copy for each addition would take minutes for very many messages. The
 * content is that of the same role, which the compiler does not see.
 */
const withOwnContent = (message: ChatMessage) => ({ ...message, content: [...message.content] }) as ChatMessage

/** The tool name of each call, for vendors that require it with the result. */
export const toolNames = (messages: readonly ChatMessage[]) =>
  new Map(messages.flatMap(({ content }) => toolCallsOf(content).map(({ id, name }): [string, string] => [id, name])))

/** The arguments of a call as an object, for vendors that require one. */
export function argumentsObject(text: string): Fields {
  if (text.trim() === '') return {}
  const parsed = jsonOrUndefined(text)
  if (!isFields(parsed)) throw badRequest('messages', 'the arguments of a tool call are not a JSON object')
  return parsed
}
