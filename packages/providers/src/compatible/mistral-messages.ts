import { defined, type Fields, isFields, listOf, textOf } from '../json.ts'
import type { MessageQuirk } from '../openai/quirks.ts'
import { mistralCallId } from './mistral-call-id.ts'
import { mistralOrder } from './mistral-order.ts'

/**
 * Mistral's models return thinking as content blocks, which clients see as `reasoning_content`: Mistral would refuse that
 * member, so it becomes a block again. Call ids must have Mistral's own format, files its own names, and messages its order.
 */
export const mistralMessages: MessageQuirk = {
  concerns: /"(?:reasoning_content|tool_calls|tool_call_id|file|assistant|system)"/,
  order: mistralOrder,
  rewrite({ reasoning_content: reasoning, ...own }) {
    const message = own.role === 'assistant' ? withoutEchoes(own) : own
    const thinking = message.role === 'assistant' ? (textOf(reasoning) ?? '') : ''
    return defined({
      ...message,
      content: thinking === '' ? withOwnFiles(message.content) : [thinkingBlock(thinking), ...blocksOf(message)],
      tool_calls: Array.isArray(message.tool_calls) ? message.tool_calls.map(withOwnId) : message.tool_calls,
      tool_call_id: ownId(message.tool_call_id),
    })
  },
}

/** Clients send answers back as they got them, with members that Mistral refuses and that mean nothing to a model. */
const withoutEchoes = (message: Fields): Fields =>
  Object.fromEntries(Object.entries(message).filter(([name]) => OF_ANSWERS.has(name)))

const OF_ANSWERS: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'prefix'])

const thinkingBlock = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] })

function blocksOf({ content }: Fields): unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOf(content)
}

const withOwnFiles = (content: unknown) => (Array.isArray(content) ? content.map(ownFile) : content)

/** A document is named by its address, which may contain the data, or by the id of an uploaded file. */
function ownFile(part: unknown): unknown {
  if (!isFields(part) || part.type !== 'file' || !isFields(part.file)) return part
  const { file_id, file_data, filename } = part.file
  if (file_id !== undefined) return { type: 'file', file_id }
  return defined({ type: 'document_url', document_url: file_data, document_name: filename })
}

const withOwnId = (call: unknown) => (isFields(call) ? { ...call, id: ownId(call.id) } : call)

const ownId = (id: unknown) => (typeof id === 'string' ? mistralCallId(id) : id)
