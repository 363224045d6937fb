import type { ChatMessage, ChatRequest, FileContent, ImageContent } from '../chat.ts'
import { plainText } from '../content.ts'
import { refusal } from '../unsupported.ts'

/** A request in the format of Coze's `/v3/chat`. The last message is the question, the others are its history. */
export const toChatBody = (request: ChatRequest, userId: string) => ({
  bot_id: request.model.replace(/^bot-/, ''),
  user_id: userId,
  stream: true,
  auto_save_history: false,
  additional_messages: request.messages.map(toMessage),
})

/** Coze has two roles. System instructions belong to the bot; the caller's are sent as user messages. */
const toMessage = (message: ChatMessage) =>
  message.role === 'assistant'
    ? { role: 'assistant', type: 'answer', content_type: 'text', content: plainText(message.content) }
    : { role: 'user', type: 'question', ...contentOf(message) }

function contentOf({ content }: ChatMessage) {
  if (content.every(({ type }) => type !== 'image' && type !== 'file'))
    return { content_type: 'text', content: plainText(content) }
  const items = content.flatMap((part): Record<string, string>[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type === 'image' || part.type === 'file') return [{ type: part.type, ...addressOf(part) }]
    return []
  })
  return { content_type: 'object_string', content: JSON.stringify(items) }
}

function addressOf({ type, source }: ImageContent | FileContent): Record<string, string> {
  if ('url' in source) return { file_url: source.url }
  if ('id' in source) return { file_id: source.id }
  const parameter = type === 'image' ? 'image_url' : 'file'
  throw refusal('Coze', parameter, `Coze takes '${parameter}' as an address, not as data`)
}
