import { type OpenAiMark, ofOpenAi } from '../cache-marks.ts'
import type { AssistantContent, ChatMessage, ImageContent, TextContent, UserContent } from '../chat.ts'
import { customArguments } from '../custom-tool.ts'
import { sourceOf } from '../data-url.ts'
import { defined } from '../json.ts'
import { refusedKind } from '../other-kind.ts'
import { redactedIn, signedBy } from '../signature.ts'
import { badRequest } from '../strict.ts'
import { type ParsedMessage, withFilesAfterResults } from '../tool-files.ts'
import { CLIENT_CALLED, clientArguments, clientResult } from './client-items.ts'
import type { InputItem, InputPart } from './request-schema.ts'
import type { ToolNames } from './tools.ts'

/** Input items in the internal format. The model's text and calls are separate items there, and one turn here. */
export function toMessages(input: readonly InputItem[], names: ToolNames): ChatMessage[] {
  const messages: ParsedMessage[] = []
  const latest = new Map<string, string>()
  for (const [index, item] of input.entries()) {
    if (item.type === 'function_call') latest.set(names.nameOf(item), item.call_id)
    const message = toMessage(withCallId(item, names, latest), `input[${index}]`, names)
    if (message === undefined) continue
    const last = messages.at(-1)
    if (last?.role === 'assistant' && message.role === 'assistant') last.content.push(...message.content)
    else messages.push(message)
  }
  return withFilesAfterResults(messages)
}

/** A result without the id of its call is that of the tool's latest one. */
function withCallId(item: InputItem, { nameOf }: ToolNames, latest: ReadonlyMap<string, string>): InputItem {
  if (item.type !== 'function_call_output' || item.call_id !== undefined || item.name === undefined) return item
  return { ...item, call_id: latest.get(nameOf({ name: item.name, namespace: item.namespace })) }
}

function toMessage(item: InputItem, name: string, { nameOf, clientName }: ToolNames): ParsedMessage | undefined {
  switch (item.type) {
    case 'function_call':
      return {
        role: 'assistant',
        content: [{ type: 'tool-call', id: item.call_id, name: nameOf(item), arguments: item.arguments }],
      }
    case 'custom_tool_call':
      return {
        role: 'assistant',
        content: [{ type: 'tool-call', id: item.call_id, name: nameOf(item), arguments: customArguments(item.input) }],
      }
    case 'shell_call':
    case 'local_shell_call':
    case 'apply_patch_call': {
      const called = clientName(CLIENT_CALLED[item.type])
      return {
        role: 'assistant',
        content: [{ type: 'tool-call', id: item.call_id, name: called, arguments: clientArguments(item) }],
      }
    }
    case 'shell_call_output':
    case 'local_shell_call_output':
    case 'apply_patch_call_output':
      return clientResult(item)
    case 'function_call_output':
    case 'custom_tool_call_output':
      if (item.call_id === undefined)
        throw badRequest(`${name}.call_id`, 'a result needs the id of the call that it is of')
      return { role: 'tool', callId: item.call_id, content: toOutput(item.output, name) }
    case 'reasoning':
      return { role: 'assistant', content: [toReasoning(item)] }
    case 'message':
      return toChatMessage(item, name)
    case 'other':
      if (item.kind.startsWith('compaction')) throw compacted(name)
      return undefined
    case 'additional_tools':
    case 'tool_search_output':
    case 'configuration_update':
      return undefined
  }
}

/** It stands for the conversation before it. */
const compacted = (name: string) =>
  badRequest(
    name,
    'a compacted conversation can only be read by the vendor that compacted it; send the conversation itself',
  )

type Of<Type> = Extract<InputItem, { type: Type }>

function toChatMessage({ role, content }: Of<'message'>, name: string): ChatMessage {
  const parts: InputPart[] = typeof content === 'string' ? [inputText(content)] : content
  if (role === 'user') {
    return { role, content: parts.map((part, index) => toUserPart(part, `${name}.content[${index}]`)) }
  }
  const texts = parts.flatMap((part): (TextContent | Extract<AssistantContent, { type: 'refusal' }>)[] => {
    if ('text' in part && typeof part.text === 'string') return [{ type: 'text', text: part.text }]
    return part.type === 'refusal' ? [{ type: 'refusal', text: String(part.refusal) }] : []
  })
  if (role === 'assistant') return { role, content: texts }
  return { role, content: texts.filter((part) => part.type === 'text') }
}

const inputText = (text: string): InputPart => ({ type: 'input_text', text, prompt_cache_breakpoint: undefined })

function toUserPart(part: InputPart, name: string): UserContent {
  switch (part.type) {
    case 'input_image':
      return toImage(part)
    case 'input_audio':
      return { type: 'audio', format: part.input_audio.format, base64: part.input_audio.data }
    case 'input_file':
      return toFile(part, name)
    case 'refusal':
      return { type: 'text', text: part.refusal }
    case 'other':
      throw refusedKind(name, part.kind)
    default:
      return defined({ type: 'text' as const, text: part.text, cache: toCache(part) })
  }
}

const toImage = (part: Extract<InputPart, { type: 'input_image' }>): ImageContent =>
  defined({ type: 'image' as const, source: sourceOf(part.image_url), detail: part.detail, cache: toCache(part) })

const toCache = (part: { prompt_cache_breakpoint?: OpenAiMark | undefined }) => ofOpenAi(part.prompt_cache_breakpoint)

function toFile(part: Extract<InputPart, { type: 'input_file' }>, name: string): UserContent {
  const address = part.file_data ?? part.file_url
  const source = address === undefined ? part.file_id && { id: part.file_id } : sourceOf(address)
  if (!source) throw badRequest(name, 'one of file_data, file_url and file_id is required')
  return defined({ type: 'file' as const, source, name: part.filename, cache: toCache(part) })
}

function toOutput(output: Of<'function_call_output'>['output'], name: string) {
  const parts: InputPart[] = typeof output === 'string' ? [inputText(output)] : output
  return parts.flatMap((part, index) => {
    const content = toUserPart(part, `${name}.output[${index}]`)
    if (content.type === 'audio') throw refusedKind(`${name}.output[${index}]`, 'input_audio')
    return [content]
  })
}

function toReasoning({ summary, content = [], encrypted_content: signature }: Of<'reasoning'>): AssistantContent {
  const text = (content.length > 0 ? content : summary).map((part) => part.text).join('\n\n')
  const redacted = redactedIn(signature)
  if (redacted !== undefined) return { type: 'reasoning', text, redacted }
  return defined({
    type: 'reasoning' as const,
    text,
    signature: signature === undefined ? undefined : signedBy('openai', signature),
  })
}
