import type { AssistantContent, ChatMessage, ChatRequest, ImageContent, TextContent, UserContent } from '../chat.ts'
import { urlOf } from '../data-url.ts'
import { defined } from '../json.ts'
import { withLeadingInstructions } from '../leading-instructions.ts'
import { signatureFor } from '../signature.ts'
import { refusal } from '../unsupported.ts'
import { reasoningDetails } from './reasoning-details.ts'

export interface MessageForm {
  /** The vendor supports the role `developer`, and instructions anywhere; compatible vendors often only have one `system` message. */
  developer?: boolean
  /** The vendor expects the reasoning of earlier turns. */
  reasoning?: boolean
  /** The vendor accepts prompt cache marks. */
  cacheControl?: boolean
  /** The vendor expects the signatures of Google's models. */
  thoughtSignatures?: boolean
  /** The vendor expects reasoning as signed by its models. */
  reasoningDetails?: boolean
  /** The vendor requires text in every message, an empty one beside calls. */
  textAlways?: boolean
}

/**
 * Messages in the dialect of chat completions. Tools answer in text only, and the results of one turn must be consecutive:
 * images returned by tools follow them as a user message.
 */
export function toChatMessages({ messages: all, model }: ChatRequest, form: MessageForm): object[] {
  const messages = form.developer ? all : withLeadingInstructions(all)
  return messages.flatMap((message, index) => {
    const last = message.role === 'tool' && messages[index + 1]?.role !== 'tool'
    const images = last ? imagesOfTools(messages.slice(0, index + 1)) : []
    const own = toChatMessage(message, form, model)
    return images.length === 0 ? [own] : [own, { role: 'user', content: images.map(imagePart) }]
  })
}

function toChatMessage(message: ChatMessage, form: MessageForm, model: string): object {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: form.developer ? message.role : 'system', content: textContent(message.content, '\n\n', form) }
    case 'user':
      return defined({ role: 'user', content: userContent(message.content, form), name: message.name })
    case 'assistant':
      return assistantMessage(message.content, form, model)
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: joinTexts(message.content) }
  }
}

/** Images returned by the tools at the end of these messages. */
function imagesOfTools(messages: readonly ChatMessage[]): ImageContent[] {
  const last = messages.findLastIndex(({ role }) => role !== 'tool')
  return messages
    .slice(last + 1)
    .flatMap(({ content }) => content.flatMap((part) => (part.type === 'image' ? [part] : [])))
}

const joinTexts = (content: readonly (TextContent | ImageContent)[]) =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

/** Plain text is sent as a string: many compatible vendors accept no other form. */
function textContent(content: readonly TextContent[], between: string, { cacheControl = false }: MessageForm) {
  if (cacheControl && content.some(({ cache }) => cache !== undefined)) return content.map(marked)
  return content.map(({ text }) => text).join(between)
}

const marked = ({ text, cache }: TextContent) =>
  defined({ type: 'text', text, cache_control: cache === undefined ? undefined : { type: 'ephemeral', ...cache } })

const isText = (part: { type: string }): part is TextContent => part.type === 'text'

function userContent(content: readonly UserContent[], form: MessageForm) {
  if (content.every(isText)) return textContent(content, '\n\n', form)
  return content.map((part) => userPart(part, form))
}

function userPart(part: UserContent, { cacheControl = false }: MessageForm): object {
  switch (part.type) {
    case 'text':
      return cacheControl ? marked(part) : { type: 'text', text: part.text }
    case 'image':
      return imagePart(part)
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.base64, format: part.format } }
    case 'file':
      return filePart(part)
  }
}

const imagePart = ({ source, detail }: ImageContent) => ({
  type: 'image_url',
  image_url: defined({ url: urlOf(source), detail }),
})

function filePart({ source, name }: Extract<UserContent, { type: 'file' }>) {
  if ('id' in source) return { type: 'file', file: { file_id: source.id } }
  if ('url' in source) throw refusal('OpenAI', 'file', 'A file has to be sent as data: this model does not fetch URLs')
  return { type: 'file', file: { file_data: urlOf(source), filename: name ?? 'file' } }
}

function assistantMessage(content: readonly AssistantContent[], form: MessageForm, model: string) {
  const text = content.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('')
  const reasoning = content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  const calls = content.filter((part) => part.type === 'tool-call')
  return defined({
    role: 'assistant',
    content: text === '' && calls.length > 0 && !form.textAlways ? null : text,
    reasoning_details: form.reasoningDetails ? reasoningDetails(content, model) : undefined,
    reasoning_content: form.reasoning && reasoning !== '' ? reasoning : undefined,
    tool_calls: calls.length === 0 ? undefined : calls.map((call) => toolCall(call, form)),
  })
}

function toolCall(
  { id, name, arguments: args, signature }: Extract<AssistantContent, { type: 'tool-call' }>,
  form: MessageForm,
) {
  const { thoughtSignatures = false } = form
  const thought_signature = thoughtSignatures ? signatureFor('gemini', signature) : undefined
  return defined({
    id,
    type: 'function',
    function: { name, arguments: args === '' ? '{}' : args },
    extra_content: thought_signature === undefined ? undefined : { google: { thought_signature } },
  })
}
