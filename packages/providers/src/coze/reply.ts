import { z } from 'zod'
import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { failureOf, VendorError } from '../failure.ts'
import { parseVendor, parseVendorJson } from '../json.ts'
import { throwFailure } from './errors.ts'

/** Coze only streams; a body that is not a stream is an error. */
export function decodeReply(body: unknown): ChatPart[] {
  throwFailure(body)
  throw new VendorError(failureOf('server', 'Coze answered without a stream', { code: 'malformed_answer' }))
}

const Chat = z.object({
  id: z.string(),
  usage: z.object({ input_count: z.number(), output_count: z.number() }).nullish(),
  last_error: z.object({ code: z.int(), msg: z.string() }).nullish(),
})
const Delta = z.object({
  type: z.string(),
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
})

export const streamDecoder = () => (event: StreamEvent) => {
  const read = () => parseVendorJson(event.data)
  switch (event.event) {
    case 'conversation.chat.created':
      return startParts(parseVendor(Chat, read()))
    case 'conversation.message.delta':
      return deltaParts(parseVendor(Delta, read()))
    case 'conversation.chat.completed':
      return closingParts(parseVendor(Chat, read()))
    case 'conversation.chat.failed':
      throwFailure(parseVendor(Chat, read()).last_error)
      throw new VendorError(failureOf('server', 'The bot failed'))
    case 'conversation.chat.requires_action':
      throw new VendorError(
        failureOf('client', 'The bot waits for a plugin on the caller’s side, which it cannot have here', {
          code: 'requires_action',
        }),
      )
    case 'error':
      throwFailure(read())
      throw new VendorError(failureOf('server', 'Coze reported an error'))
    default:
      return [] // progress, whole messages that were streamed before, suggestions, the bot's own tools, the end mark
  }
}

const startParts = ({ id }: z.infer<typeof Chat>): ChatPart[] => [{ type: 'start', id, model: '' }]

function deltaParts({ type, content, reasoning_content }: z.infer<typeof Delta>): ChatPart[] {
  if (type !== 'answer') return []
  const parts: ChatPart[] = []
  if (reasoning_content) parts.push({ type: 'reasoning', choice: 0, text: reasoning_content })
  if (content) parts.push({ type: 'text', choice: 0, text: content })
  return parts
}

function closingParts({ usage }: z.infer<typeof Chat>): ChatPart[] {
  const finish: ChatPart = { type: 'finish', choice: 0, reason: 'stop' }
  if (usage == null) return [finish]
  return [finish, { type: 'usage', usage: { input: usage.input_count, output: usage.output_count } }]
}
