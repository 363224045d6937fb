import type { ChatMessage } from './chat.ts'
import { type Fields, isFields, jsonOrUndefined } from './json.ts'
import { badRequest } from './strict.ts'

type AnyContent = ChatMessage['content'][number]

/** What a message says, for vendors that know only text: each part on lines of its own, a refusal as what it says. */
export const plainText = (content: readonly AnyContent[]) =>
  content.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join('\n')

export const reasoningOf = (content: readonly AnyContent[]) =>
  content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n')

export const toolCallsOf = (content: readonly AnyContent[]) => content.filter((part) => part.type === 'tool-call')

/** What most vendors understand; the rest they refuse before they get here. */
export const textAndImages = (content: readonly AnyContent[]) =>
  content.filter((part) => part.type === 'text' || part.type === 'image')

export const imagesOf = (content: readonly AnyContent[]) => content.filter((part) => part.type === 'image')

/** What the user said last, for services that answer one question and know no conversation. */
export const lastQuestion = (messages: readonly ChatMessage[]) =>
  plainText((messages.findLast(({ role }) => role === 'user') ?? messages.at(-1))?.content ?? [])

/** The instructions of a conversation, for vendors that want them apart, and the turns that remain. */
export function splitSystem(messages: readonly ChatMessage[]) {
  const system = messages.filter((message) => message.role === 'system' || message.role === 'developer')
  const turns = messages.filter((message) => message.role !== 'system' && message.role !== 'developer')
  return { system: system.map(({ content }) => plainText(content)).join('\n\n'), turns }
}

/** Neighbours of one role as one message, for vendors that want user and assistant in turns. */
export function mergeNeighbours(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      merged.splice(-1, 1, { ...last, content: [...last.content, ...message.content] })
    else if (last?.role === 'assistant' && message.role === 'assistant')
      merged.splice(-1, 1, { ...last, content: [...last.content, ...message.content] })
    else merged.push(message)
  }
  return merged
}

/** What the user says right after results as a part of the last of them, for vendors that take either as a turn. */
export function wordsInResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    const texts = message.role === 'user' ? message.content.filter((part) => part.type === 'text') : []
    // Pictures have no place in a result.
    if (last?.role !== 'tool' || texts.length === 0 || texts.length < message.content.length) joined.push(message)
    else joined.splice(-1, 1, { ...last, content: [...last.content, ...texts] })
  }
  return joined
}

/** Which tool each call meant, for vendors that want the name with a result. */
export const toolNames = (messages: readonly ChatMessage[]) =>
  new Map(messages.flatMap(({ content }) => toolCallsOf(content).map(({ id, name }): [string, string] => [id, name])))

/** The arguments of a call in a conversation, for vendors that want them as an object. */
export function argumentsObject(text: string): Fields {
  if (text.trim() === '') return {}
  const parsed = jsonOrUndefined(text)
  if (!isFields(parsed)) throw badRequest('messages', 'the arguments of a tool call are not a JSON object')
  return parsed
}
