import type { AssistantContent, CacheMark, ChatMessage, ImageContent, TextContent, UserContent } from '../chat.ts'
import { customArguments } from '../custom-tool.ts'
import { sourceOf } from '../data-url.ts'
import { defined, textOf } from '../json.ts'
import { signedBy } from '../signature.ts'
import { badRequest } from '../strict.ts'
import type { ChatCompletionMessage } from './request-schema.ts'

/** A caller's message in the internal format. `name` is the parameter, for error messages. */
export function toMessage(message: ChatCompletionMessage, name: string): ChatMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: message.role, content: toTexts(message.content) }
    case 'user':
      return defined({ role: 'user' as const, content: toUserContent(message.content, name), name: message.name })
    case 'tool':
      return defined({
        role: 'tool' as const,
        callId: message.tool_call_id,
        name: message.name,
        content: typeof message.content === 'string' ? toTexts(message.content) : message.content.map(toTextOrImage),
      })
    case 'function':
      // Legacy functions have no ids; their calls are distinguished by name.
      return { role: 'tool', callId: message.name, name: message.name, content: toTexts(message.content ?? '') }
    case 'assistant':
      return { role: 'assistant', content: toAssistantContent(message) }
  }
}

type Of<Role> = Extract<ChatCompletionMessage, { role: Role }>
type UserPart = Exclude<Of<'user'>['content'], string>[number]

const toTexts = (content: string | { text: string; cache_control: CacheControl }[]): TextContent[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content.map(toText)

type CacheControl = { ttl?: string | undefined } | undefined

const toText = (part: { text: string; cache_control: CacheControl }): TextContent =>
  defined({ type: 'text' as const, text: part.text, cache: toCache(part.cache_control) })

const toCache = (control: CacheControl): CacheMark | undefined =>
  control === undefined ? undefined : defined({ ttl: control.ttl })

const toImage = ({ image_url, cache_control }: Extract<UserPart, { type: 'image_url' }>): ImageContent =>
  defined({
    type: 'image' as const,
    source: sourceOf(image_url.url),
    detail: image_url.detail,
    cache: toCache(cache_control),
  })

const toTextOrImage = (part: Extract<UserPart, { type: 'text' | 'image_url' }>) =>
  part.type === 'text' ? toText(part) : toImage(part)

function toUserContent(content: Of<'user'>['content'], name: string): UserContent[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part, index) => toUserPart(part, `${name}.content[${index}]`))
}

function toUserPart(part: UserPart, name: string): UserContent {
  switch (part.type) {
    case 'text':
    case 'image_url':
      return toTextOrImage(part)
    case 'input_audio':
      return { type: 'audio', format: part.input_audio.format, base64: part.input_audio.data }
    case 'file':
      return toFile(part, `${name}.file`)
  }
}

function toFile({ file, cache_control }: Extract<UserPart, { type: 'file' }>, name: string): UserContent {
  const source = file.file_data === undefined ? file.file_id && { id: file.file_id } : sourceOf(file.file_data)
  if (!source) throw badRequest(name, 'either file_data or file_id is required')
  return defined({ type: 'file' as const, source, name: file.filename, cache: toCache(cache_control) })
}

function toAssistantContent(message: Of<'assistant'>): AssistantContent[] {
  const { content = '', refusal, tool_calls = [], function_call: old } = message
  return [
    ...toReasoning(message),
    ...(typeof content === 'string'
      ? toTexts(content)
      : content.map((part) => (part.type === 'text' ? toText(part) : { type: part.type, text: part.refusal }))),
    ...(refusal ? [{ type: 'refusal' as const, text: refusal }] : []),
    ...tool_calls.map(toCall),
    ...(old === undefined
      ? []
      : [{ type: 'tool-call' as const, id: old.name, name: old.name, arguments: old.arguments }]),
  ]
}

function toCall(call: NonNullable<Of<'assistant'>['tool_calls']>[number]): AssistantContent {
  const { id } = call
  if (call.type === 'custom') {
    const { name, input } = call.custom
    return { type: 'tool-call', id, name, arguments: customArguments(input) }
  }
  const signature = call.extra_content?.google?.thought_signature
  return defined({
    type: 'tool-call' as const,
    id,
    name: call.function.name,
    arguments: call.function.arguments,
    signature: signature === undefined ? undefined : signedBy('gemini', signature),
  })
}

/** With signatures when the client kept them (`reasoning_details`), otherwise as plain text. */
function toReasoning({ reasoning_details = [], reasoning_content, reasoning }: Of<'assistant'>): AssistantContent[] {
  const text = reasoning_content ?? reasoning ?? ''
  const detailed = reasoning_details.flatMap((detail): AssistantContent[] => {
    const redacted = textOf(detail.data)
    if (detail.type === 'reasoning.encrypted' && redacted !== undefined) {
      return [{ type: 'reasoning', text: '', redacted }]
    }
    const signature = textOf(detail.signature)
    if (signature === undefined) return []
    // A signature without text covers the text before it.
    const own = textOf(detail.text) || (reasoning_details.length === 1 ? text : '')
    return [{ type: 'reasoning', text: own, signature: signedBy('claude', signature) }]
  })
  return detailed.length > 0 || text === '' ? detailed : [{ type: 'reasoning', text }]
}
