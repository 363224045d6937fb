import type { AssistantContent, CacheMark, ImageContent, TextContent, UserContent } from '../chat.ts'
import { defined } from '../json.ts'
import { refusedKind } from '../other-kind.ts'
import { signedBy } from '../signature.ts'
import { badRequest } from '../strict.ts'
import type { ParsedMessage } from '../tool-files.ts'
import type {
  AnthropicMessage,
  AssistantBlock,
  ResultBlock,
  TextBlock,
  ToolResultBlock,
  UserBlock,
} from './request-schema.ts'

/** A message in the internal format. Tool results in the user's message become messages of their own. */
export function toMessages(message: AnthropicMessage, name: string): ParsedMessage[] {
  if (message.role === 'system') {
    const { content = [] } = message
    const texts = typeof content === 'string' ? content : content.filter((block) => block.type === 'text')
    return texts.length === 0 ? [] : [{ role: 'system', content: toTexts(texts) }]
  }
  if (message.role === 'assistant') {
    const blocks = typeof message.content === 'string' ? [textBlock(message.content)] : message.content
    return [{ role: 'assistant', content: blocks.flatMap(toAssistantContent) }]
  }
  const blocks: UserBlock[] = typeof message.content === 'string' ? [textBlock(message.content)] : message.content
  const results = blocks.flatMap((block, index) =>
    block.type === 'tool_result' ? [toToolMessage(block, `${name}.content[${index}]`)] : [],
  )
  const content = blocks.flatMap((block, index) => toUserContent(block, `${name}.content[${index}]`))
  return content.length > 0 || results.length === 0 ? [...results, { role: 'user', content }] : results
}

export const toTexts = (content: string | { text: string; cache_control: CacheControl }[]): TextContent[] =>
  (typeof content === 'string' ? [textBlock(content)] : content).map(toText)

type CacheControl = { ttl?: string | undefined } | undefined

const textBlock = (text: string): TextBlock => ({ type: 'text', text, cache_control: undefined })

const toText = ({ text, cache_control }: { text: string; cache_control: CacheControl }): TextContent =>
  defined({ type: 'text' as const, text, cache: toCache(cache_control) })

export const toCache = (control: CacheControl): CacheMark | undefined =>
  control === undefined ? undefined : defined({ ttl: control.ttl })

function toUserContent(block: UserBlock, name: string): UserContent[] {
  switch (block.type) {
    case 'text':
      return [toText(block)]
    case 'image':
      return [toImage(block, name)]
    case 'document':
      return toDocument(block, name)
    case 'search_result':
      return [searchResult(block)]
    case 'compaction':
      return summary(block)
    case 'tool_result':
      return []
    case 'other':
      throw refusedKind(name, block.kind)
  }
}

const summary = ({ content }: Of<'compaction'>): TextContent[] => (content ? [{ type: 'text', text: content }] : [])

function toDocument(block: Of<'document'>, name: string): UserContent[] {
  const { context, source } = block
  const before = context === undefined ? [] : [{ type: 'text' as const, text: context }]
  const sections = source.type === 'content' && typeof source.content !== 'string' ? source.content : []
  const images = sections.flatMap((section, index) =>
    section.type === 'image' ? [toImage(section, `${name}.source.content[${index}]`)] : [],
  )
  const file = toFile(block)
  const isEmpty = file.type === 'text' && file.text === ''
  return [...before, ...(isEmpty && images.length > 0 ? [] : [file]), ...images]
}

type Of<Type> = Extract<UserBlock, { type: Type }>

function toImage({ source, cache_control }: Of<'image'>, name: string): ImageContent {
  const cache = toCache(cache_control)
  if (source.type === 'url') return defined({ type: 'image' as const, source: { url: source.url }, cache })
  if (source.type !== 'base64') throw badRequest(`${name}.source.type`, 'an image has to be sent as base64 or url')
  return defined({ type: 'image' as const, source: { mimeType: source.media_type, base64: source.data }, cache })
}

/** A plain-text document is passed on as text, which every model understands. */
function toFile({ source, title, cache_control }: Of<'document'>): UserContent {
  const cache = toCache(cache_control)
  const file = (place: Extract<UserContent, { type: 'file' }>['source']) =>
    defined({ type: 'file' as const, source: place, name: title, cache })
  switch (source.type) {
    case 'base64':
      return file({ mimeType: source.media_type, base64: source.data })
    case 'url':
      return file({ url: source.url })
    case 'file':
      return file({ id: source.file_id })
    case 'text':
      return defined({ type: 'text' as const, text: titled(title, source.data), cache })
    case 'content': {
      const { content } = source
      const texts = typeof content === 'string' ? content : content.filter((section) => section.type === 'text')
      return defined({ type: 'text' as const, text: titled(title, plain(toTexts(texts))), cache })
    }
  }
}

const searchResult = ({ title, source, content, cache_control }: Of<'search_result'>): TextContent =>
  defined({
    type: 'text' as const,
    text: titled(`${title} (${source})`, plain(toTexts(content))),
    cache: toCache(cache_control),
  })

const titled = (title: string | undefined, text: string) => (title === undefined ? text : `${title}\n\n${text}`)
const plain = (texts: readonly TextContent[]) => texts.map(({ text }) => text).join('\n')

function toToolMessage(
  { tool_use_id, content = '', is_error, cache_control }: ToolResultBlock,
  name: string,
): ParsedMessage {
  const blocks: ResultBlock[] = typeof content === 'string' ? [textBlock(content)] : content
  const parts = blocks.flatMap((block, index) => toResult(block, `${name}.content[${index}]`))
  const last = parts.at(-1)
  const cache = toCache(cache_control)
  if (last !== undefined && cache !== undefined) last.cache = cache
  return defined({ role: 'tool' as const, callId: tool_use_id, content: parts, isError: is_error })
}

function toResult(block: ResultBlock, name: string) {
  if (block.type === 'tool_reference')
    return [{ type: 'text' as const, text: `The tool ${block.tool_name} is available.` }]
  return toUserContent(block, name).filter((part) => part.type !== 'audio')
}

function toAssistantContent(block: AssistantBlock): AssistantContent[] {
  switch (block.type) {
    case 'text':
      return [toText(block)]
    case 'redacted_thinking':
      return [{ type: 'reasoning', text: '', redacted: block.data }]
    case 'thinking':
      return [
        defined({
          type: 'reasoning' as const,
          text: block.thinking,
          signature: block.signature ? signedBy('claude', block.signature) : undefined,
        }),
      ]
    case 'tool_use':
      return [
        defined({
          type: 'tool-call' as const,
          id: block.id,
          name: block.name,
          arguments: JSON.stringify(block.input),
          cache: toCache(block.cache_control),
        }),
      ]
    case 'compaction':
      return summary(block)
    case 'other':
      return []
  }
}
