import { type OpenAiMark, ofOpenAi } from '../cache-marks.ts'
import type { AssistantContent, CacheMark, FileContent, ImageContent, TextContent, UserContent } from '../chat.ts'
import { customArguments } from '../custom-tool.ts'
import { sourceOf } from '../data-url.ts'
import { defined, textOf } from '../json.ts'
import { refusedKind } from '../other-kind.ts'
import { signedBy } from '../signature.ts'
import { badRequest } from '../strict.ts'
import type { ParsedMessage } from '../tool-files.ts'
import type { ToolMessage } from './legacy-functions.ts'

/** A caller's message in the internal format. `name` is the parameter, for error messages. */
export function toMessage(message: ToolMessage, name: string): ParsedMessage {
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
        content: toResult(message.content, name),
      })
    case 'assistant':
      return { role: 'assistant', content: toAssistantContent(message) }
  }
}

type Of<Role> = Extract<ToolMessage, { role: Role }>
type UserPart = Exclude<Of<'user'>['content'], string>[number]

const toTexts = (content: string | (Cached & { text: string })[]): TextContent[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content.map(toText)

interface Cached {
  cache_control: { ttl?: string | undefined } | undefined
  prompt_cache_breakpoint: OpenAiMark | undefined
}

const toText = (part: Cached & { text: string }): TextContent =>
  defined({ type: 'text' as const, text: part.text, cache: toCache(part) })

const toCache = ({ cache_control: control, prompt_cache_breakpoint: mark }: Cached): CacheMark | undefined =>
  control === undefined ? ofOpenAi(mark) : defined({ ttl: control.ttl })

const toImage = (part: Extract<UserPart, { type: 'image_url' }>): ImageContent =>
  defined({
    type: 'image' as const,
    source: sourceOf(part.image_url.url),
    detail: part.image_url.detail,
    cache: toCache(part),
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
    case 'other':
      throw refusedKind(name, part.kind)
  }
}

function toResult(content: Of<'tool'>['content'], name: string) {
  if (typeof content === 'string') return toTexts(content)
  return content.flatMap((part, index) => {
    const param = `${name}.content[${index}]`
    const own = toUserPart(part, param)
    if (own.type === 'audio') throw refusedKind(param, part.type)
    return [own]
  })
}

function toFile(part: Extract<UserPart, { type: 'file' }>, name: string): FileContent {
  const { file } = part
  const source = file.file_data === undefined ? file.file_id && { id: file.file_id } : sourceOf(file.file_data)
  if (!source) throw badRequest(name, 'either file_data or file_id is required')
  return defined({ type: 'file' as const, source, name: file.filename, cache: toCache(part) })
}

function toAssistantContent(message: Of<'assistant'>): AssistantContent[] {
  const { content = '', refusal, tool_calls = [] } = message
  return [
    ...toReasoning(message),
    ...(typeof content === 'string' ? toTexts(content) : content.flatMap(toSpoken)),
    ...(refusal ? [{ type: 'refusal' as const, text: refusal }] : []),
    ...tool_calls.map(toCall),
  ]
}

function toSpoken(part: Exclude<NonNullable<Of<'assistant'>['content']>, string>[number]): AssistantContent[] {
  if (part.type === 'other') return []
  return [part.type === 'text' ? toText(part) : { type: part.type, text: part.refusal }]
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
