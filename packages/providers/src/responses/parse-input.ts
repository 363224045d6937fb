import type { AssistantContent, ChatMessage, ImageContent, TextContent, UserContent } from '../chat.ts'
import { customArguments } from '../custom-tool.ts'
import { sourceOf } from '../data-url.ts'
import { defined } from '../json.ts'
import type { ToolName } from '../namespaced-tool.ts'
import { redactedIn, signedBy } from '../signature.ts'
import { badRequest } from '../strict.ts'
import type { InputItem } from './request-schema.ts'

/** Input items in the internal format. The model's text and calls are separate items there, and one turn here. */
export function toMessages(input: readonly InputItem[], nameOf: (called: ToolName) => string): ChatMessage[] {
  const messages: ChatMessage[] = []
  for (const [index, item] of input.entries()) {
    const message = toMessage(item, `input[${index}]`, nameOf)
    if (message === undefined) continue
    const last = messages.at(-1)
    if (last?.role === 'assistant' && message.role === 'assistant') last.content.push(...message.content)
    else messages.push(message)
  }
  return messages
}

function toMessage(item: InputItem, name: string, nameOf: (called: ToolName) => string): ChatMessage | undefined {
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
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', callId: item.call_id, content: toOutput(item.output) }
    case 'reasoning':
      return { role: 'assistant', content: [toReasoning(item)] }
    case 'message':
      return toChatMessage(item, name)
    default:
      return undefined
  }
}

type Of<Type> = Extract<InputItem, { type: Type }>
type Part = Exclude<Of<'message'>['content'], string>[number]

function toChatMessage({ role, content }: Of<'message'>, name: string): ChatMessage {
  const parts: Part[] = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
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

function toUserPart(part: Part, name: string): UserContent {
  switch (part.type) {
    case 'input_image':
      return toImage(part)
    case 'input_audio':
      return { type: 'audio', format: part.input_audio.format, base64: part.input_audio.data }
    case 'input_file':
      return toFile(part, name)
    case 'refusal':
      return { type: 'text', text: part.refusal }
    default:
      return { type: 'text', text: part.text }
  }
}

const toImage = ({ image_url, detail }: { image_url: string; detail: string | undefined }): ImageContent =>
  defined({ type: 'image' as const, source: sourceOf(image_url), detail })

function toFile(part: Extract<Part, { type: 'input_file' }>, name: string): UserContent {
  const address = part.file_data ?? part.file_url
  const source = address === undefined ? part.file_id && { id: part.file_id } : sourceOf(address)
  if (!source) throw badRequest(name, 'one of file_data, file_url and file_id is required')
  return defined({ type: 'file' as const, source, name: part.filename })
}

function toOutput(output: Of<'function_call_output'>['output']): (TextContent | ImageContent)[] {
  if (typeof output === 'string') return [{ type: 'text', text: output }]
  return output.map((part) => (part.type === 'input_image' ? toImage(part) : { type: 'text', text: part.text }))
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
