import { z } from 'zod'
import type { ChatPart, Citation, FinishReason } from '../chat.ts'
import { citedRange } from '../citation.ts'
import { fieldsOf, isFields, listOf, parseVendor, textOf } from '../json.ts'
import { signedBy } from '../signature.ts'
import { isFreeRefusal } from './declined.ts'
import { streamError } from './explain.ts'
import { readAnthropicUsage } from './usage.ts'

const Reply = z.looseObject({
  id: z.string().default(''),
  model: z.string().default(''),
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  stop_reason: z.string().nullish(),
})

/** A whole message. Blocks of kinds that only Anthropic has (server tools and their results) are left out. */
export function decodeMessage(body: unknown): ChatPart[] {
  if (isFields(body) && body.type === 'error') throw streamError(body)
  const reply = parseVendor(Reply, body)
  const usage = readAnthropicUsage(body)
  let call = 0
  let offset = 0
  return [
    { type: 'start', id: reply.id, model: reply.model },
    ...reply.content.flatMap((block) => {
      if (block.type === 'tool_use') return [toolCall(block, call++)]
      const [start, end] = [offset, offset + (block.type === 'text' ? (textOf(block.text)?.length ?? 0) : 0)]
      offset = end
      return blockParts(block).map((part) => (part.type === 'citation' ? { ...part, ...citedRange(start, end) } : part))
    }),
    ...finishParts(reply),
    ...(usage === undefined ? [] : [{ type: 'usage' as const, usage, ...freeIf(isFreeRefusal(body)) }]),
  ]
}

export const freeIf = (free: boolean): { free?: true } => (free ? { free } : {})

/** A content block, whole or as opened in a stream. */
export function blockParts(block: Record<string, unknown>): ChatPart[] {
  switch (block.type) {
    case 'text':
      return [...textPart(block.text), ...listOf(block.citations).flatMap((citation) => citationPart(citation))]
    case 'thinking':
      return thinkingPart(block)
    case 'redacted_thinking':
      return [{ type: 'reasoning', choice: 0, text: '', redacted: textOf(block.data) ?? '' }]
    default:
      return []
  }
}

const toolCall = ({ id, name, input }: Record<string, unknown>, call: number): ChatPart => ({
  type: 'tool-call',
  choice: 0,
  call,
  id: textOf(id) ?? `call_${call}`,
  name: textOf(name) ?? '',
  arguments: JSON.stringify(fieldsOf(input)),
})

export const textPart = (text: unknown): ChatPart[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'text', choice: 0, text }] : []

export function thinkingPart({ thinking, signature }: Record<string, unknown>): ChatPart[] {
  const text = textOf(thinking) ?? ''
  if (typeof signature === 'string' && signature !== '') {
    return [{ type: 'reasoning', choice: 0, text, signature: signedBy('claude', signature) }]
  }
  return text === '' ? [] : [{ type: 'reasoning', choice: 0, text }]
}

/** Web pages have a URL; documents sent by the caller have a title, or only an index. */
export function citationPart(citation: unknown, place: Pick<Citation, 'start' | 'end'> = {}): CitationPart[] {
  const { url, title, source, file_id, document_title, document_index } = fieldsOf(citation)
  const page = textOf(url) ?? addressIn(source)
  const name = textOf(title) ?? textOf(document_title)
  const more = { ...(name === undefined ? {} : { title: name }), ...place }
  if (page !== undefined) return [{ type: 'citation', choice: 0, url: page, ...more }]
  const document = textOf(file_id) ?? textOf(source) ?? (document_index === undefined ? undefined : `${document_index}`)
  return document === undefined ? [] : [{ type: 'citation', choice: 0, url: document, document: true, ...more }]
}

type CitationPart = Extract<ChatPart, { type: 'citation' }>

const addressIn = (source: unknown) => (/^https?:/.test(textOf(source) ?? '') ? textOf(source) : undefined)

export function finishParts({ stop_reason, stop_details }: Record<string, unknown>): ChatPart[] {
  if (typeof stop_reason !== 'string') return []
  const explanation = stop_reason === 'refusal' ? textOf(fieldsOf(stop_details).explanation) : undefined
  return [
    ...(explanation === undefined
      ? []
      : [{ type: 'refusal' as const, choice: 0, text: explanation, notice: true as const }]),
    { type: 'finish', choice: 0, reason: FINISH.get(stop_reason) ?? 'stop' },
  ]
}

const FINISH = new Map<string, FinishReason>([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
])
