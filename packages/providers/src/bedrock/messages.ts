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

/** Messages in the dialect of Converse: user and assistant alternate, tool results belong to the user's turn. */
export function toTurns(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = []
  for (const message of withUserFirst(messages)) {
    if (message.role === 'system' || message.role === 'developer') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) turns.push({ role, content })
  }
  return turns
}

function blocksOf(message: ChatMessage): object[] {
  if (message.role === 'assistant') return message.content.flatMap(assistantBlock)
  if (message.role === 'tool') return toolResult(message)
  return message.content.flatMap((part) => userBlock(part))
}

/** A cache mark is a block of its own, after what it marks. */
export const cachePoint = (cache: CacheMark | undefined): object[] =>
  cache === undefined ? [] : [{ cachePoint: { type: 'default', ...cache } }]

export const textBlock = ({ text, cache }: TextContent): object[] =>
  text === '' ? [] : [{ text }, ...cachePoint(cache)]

function userBlock(part: UserContent): object[] {
  switch (part.type) {
    case 'text':
      return textBlock(part)
    case 'image':
      return [imageBlock(part), ...cachePoint(part.cache)]
    case 'file':
      return [documentBlock(part), ...cachePoint(part.cache)]
    case 'audio':
      throw refusal('Bedrock', 'input_audio')
  }
}

function imageBlock({ source }: ImageContent): object {
  if ('url' in source) throw refusal('Bedrock', 'image_url', 'Bedrock takes images as data only')
  const format = source.mimeType.replace('image/', '').replace('jpg', 'jpeg')
  return { image: { format, source: { bytes: source.base64 } } }
}

const DOCUMENTS = new Map<string, string>([
  ['application/pdf', 'pdf'],
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
])

const NAME_MAX = 200

function documentBlock({ source, name = 'document' }: Extract<UserContent, { type: 'file' }>): object {
  if (!('base64' in source)) throw refusal('Bedrock', 'file', 'Bedrock takes files as data only')
  const format = DOCUMENTS.get(source.mimeType)
  if (format === undefined) throw refusal('Bedrock', 'file', `Bedrock does not read ${source.mimeType}`)
  // Other characters in a name are an error, and so are two consecutive spaces.
  const plain =
    name
      .replaceAll(/[^a-zA-Z0-9()[\]-]+/g, ' ')
      .slice(0, NAME_MAX)
      .trim() || 'document'
  return { document: { format, name: plain, source: { bytes: source.base64 } } }
}

function assistantBlock(part: AssistantContent): object[] {
  switch (part.type) {
    case 'text':
      return textBlock(part)
    case 'refusal':
      return textBlock({ type: 'text', text: part.text })
    case 'reasoning':
      return reasoningBlock(part)
    case 'tool-call': {
      const toolUse = { toolUseId: toolId(part.id), name: part.name, input: argumentsObject(part.arguments) }
      return [{ toolUse }, ...cachePoint(part.cache)]
    }
  }
}

function reasoningBlock({ text, signature, redacted }: Extract<AssistantContent, { type: 'reasoning' }>): object[] {
  if (redacted !== undefined) return [{ reasoningContent: { redactedContent: redacted } }]
  const own = signatureFor('claude', signature)
  return own === undefined ? [] : [{ reasoningContent: { reasoningText: { text, signature: own } } }]
}

function toolResult({ callId, content, isError = false }: Extract<ChatMessage, { role: 'tool' }>): object[] {
  const blocks = content.map((part) => (part.type === 'text' ? { text: part.text } : imageBlock(part)))
  const cache = content.findLast((part) => part.cache !== undefined)?.cache
  return [
    {
      toolResult: defined({
        toolUseId: toolId(callId),
        content: blocks.length > 0 ? blocks : [{ text: '' }],
        status: isError ? 'error' : undefined,
      }),
    },
    ...cachePoint(cache),
  ]
}

const toolId = (id: string) => id.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
