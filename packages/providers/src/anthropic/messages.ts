import type { AssistantContent, CacheMark, ChatMessage, ImageContent, TextContent, UserContent } from '../chat.ts'
import { argumentsObject } from '../content.ts'
import { defined } from '../json.ts'
import { signatureFor } from '../signature.ts'
import { refusal } from '../unsupported.ts'
import { withUserFirst } from '../user-first.ts'

interface Turn {
  role: 'user' | 'assistant'
  content: object[]
}

/** Messages in Anthropic's dialect. System instructions go elsewhere; tool results belong to the user's turn. */
export function toTurns(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = []
  for (const message of withUserFirst(messages)) {
    const turn = toTurn(message)
    const last = turns.at(-1)
    // All tool results of one turn must be in one message, and an empty message is an error.
    if (last?.role === turn?.role && last !== undefined) last.content.push(...(turn?.content ?? []))
    else if (turn !== undefined && turn.content.length > 0) turns.push(turn)
  }
  return turns
}

function toTurn(message: ChatMessage): Turn | undefined {
  switch (message.role) {
    case 'system':
    case 'developer':
      return undefined
    case 'user':
      return { role: 'user', content: message.content.flatMap(userBlock) }
    case 'assistant':
      return { role: 'assistant', content: message.content.flatMap(assistantBlock) }
    case 'tool':
      return { role: 'user', content: [toolResult(message)] }
  }
}

export const cacheControl = (cache: CacheMark | undefined) =>
  cache === undefined ? {} : { cache_control: { type: 'ephemeral', ...cache } }

/** Anthropic refuses blank text. */
export const textBlock = ({ text, cache }: TextContent): object[] =>
  text === '' ? [] : [{ type: 'text', text, ...cacheControl(cache) }]

const imageBlock = ({ source, cache }: ImageContent) => ({
  type: 'image',
  source: 'url' in source ? { type: 'url', url: source.url } : base64Source(source),
  ...cacheControl(cache),
})

const base64Source = ({ mimeType, base64 }: { mimeType: string; base64: string }) => ({
  type: 'base64',
  media_type: mimeType,
  data: base64,
})

function userBlock(part: UserContent): object[] {
  switch (part.type) {
    case 'text':
      return textBlock(part)
    case 'image':
      return [imageBlock(part)]
    case 'file':
      return [fileBlock(part)]
    case 'audio':
      throw refusal('Anthropic', 'input_audio')
  }
}

function fileBlock({ source, name, cache }: Extract<UserContent, { type: 'file' }>): object {
  if ('mimeType' in source && source.mimeType.startsWith('image/'))
    return { type: 'image', source: base64Source(source) }
  return defined({ type: 'document', source: documentSource(source), title: name, ...cacheControl(cache) })
}

function documentSource(source: Extract<UserContent, { type: 'file' }>['source']) {
  if ('url' in source) return { type: 'url', url: source.url }
  if ('id' in source) return { type: 'file', file_id: source.id }
  if (source.mimeType === 'application/pdf') return base64Source(source)
  if (!source.mimeType.startsWith('text/')) {
    throw refusal('Anthropic', 'file', `Anthropic reads PDF and plain text, not ${source.mimeType}`)
  }
  return { type: 'text', media_type: 'text/plain', data: decodeText(source.base64) }
}

const decodeText = (base64: string) =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))

function assistantBlock(part: AssistantContent): object[] {
  switch (part.type) {
    case 'text':
      return textBlock(part)
    case 'refusal':
      return textBlock({ type: 'text', text: part.text })
    case 'reasoning':
      return reasoningBlock(part)
    case 'tool-call':
      return [
        {
          type: 'tool_use',
          id: toolId(part.id),
          name: part.name,
          input: argumentsObject(part.arguments),
          ...cacheControl(part.cache),
        },
      ]
  }
}

/** Anthropic accepts back only reasoning it signed; other vendors' reasoning is left out. */
function reasoningBlock({ text, signature, redacted }: Extract<AssistantContent, { type: 'reasoning' }>): object[] {
  if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }]
  const own = signatureFor('claude', signature)
  return own === undefined ? [] : [{ type: 'thinking', thinking: text, signature: own }]
}

function toolResult({ callId, content, isError }: Extract<ChatMessage, { role: 'tool' }>): object {
  const cache = content.findLast((part) => part.cache !== undefined)?.cache
  return defined({
    type: 'tool_result',
    tool_use_id: toolId(callId),
    content: content.flatMap((part) =>
      part.type === 'text'
        ? textBlock({ type: 'text', text: part.text })
        : [imageBlock({ type: 'image', source: part.source })],
    ),
    is_error: isError,
    ...cacheControl(cache),
  })
}

/** Ids of other vendors may contain characters that Anthropic refuses. */
const toolId = (id: string) => id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
