import { type Fields, isFields, jsonOrUndefined, listOf, textOf } from '../json.ts'

/**
 * Mistral's models think in blocks of content, which clients of the dialect read as `reasoning_content`. Clients that
 * send it back would be refused: it becomes such a block again. A body without any stays as it is.
 */
export function withThinkingBlocks(body: string): string {
  if (!body.includes('"reasoning_content"')) return body
  const request = jsonOrUndefined(body)
  if (!isFields(request)) return body
  return JSON.stringify({ ...request, messages: listOf(request.messages).map(toMistral) })
}

function toMistral(message: unknown): unknown {
  if (!isFields(message) || !('reasoning_content' in message)) return message
  const { reasoning_content: reasoning, ...rest } = message
  const thinking = textOf(reasoning) ?? ''
  if (thinking === '' || rest.role !== 'assistant') return rest
  return { ...rest, content: [{ type: 'thinking', thinking: [{ type: 'text', text: thinking }] }, ...blocksOf(rest)] }
}

function blocksOf({ content }: Fields): unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOf(content)
}
