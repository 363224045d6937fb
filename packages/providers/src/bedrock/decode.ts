import { z } from 'zod'
import type { ChatPart, FinishReason } from '../chat.ts'
import { citedRange } from '../citation.ts'
import { failureOf, VendorError } from '../failure.ts'
import { type Fields, fieldsOf, isFields, listOf, parseVendor, textOf } from '../json.ts'
import { signedBy } from '../signature.ts'
import { withoutMarks } from '../tool-name.ts'
import { readConverseUsage } from './usage.ts'

const Reply = z.looseObject({
  output: z.looseObject({ message: z.looseObject({ content: z.array(z.looseObject({})).nullish() }) }),
  stopReason: z.string().nullish(),
})

/** A whole answer of Converse. It has no id, and the model is the requested one. */
export function decodeConverse(body: unknown): ChatPart[] {
  const reply = parseVendor(Reply, body)
  const usage = readConverseUsage(body)
  let call = 0
  let offset = 0
  const blockParts = (block: Fields): ChatPart[] => {
    if (isFields(block.toolUse) && isClientTool(block.toolUse)) return [toolCall(block.toolUse, call++)]
    const { citationsContent } = block
    const parts = isFields(citationsContent) ? citedParts(citationsContent, offset) : contentParts(block)
    offset += textLength(parts)
    return parts
  }
  return [
    { type: 'start', id: '', model: '' },
    ...(reply.output.message.content ?? []).flatMap(blockParts),
    ...finishParts(reply.stopReason),
    ...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]),
  ]
}

/** A content block or a delta of one: they use the same member names. */
export function contentParts(block: Fields): ChatPart[] {
  if (typeof block.text === 'string') return block.text === '' ? [] : [{ type: 'text', choice: 0, text: block.text }]
  if (isFields(block.image)) return imageParts(block.image)
  if (!isFields(block.reasoningContent)) return []
  const { reasoningText, redactedContent, ...piece } = block.reasoningContent
  if (typeof redactedContent === 'string')
    return [{ type: 'reasoning', choice: 0, text: '', redacted: redactedContent }]
  const { text, signature } = isFields(reasoningText) ? reasoningText : piece
  const own = textOf(text) ?? ''
  if (typeof signature === 'string') {
    return [{ type: 'reasoning', choice: 0, text: own, signature: signedBy('claude', signature) }]
  }
  return own === '' ? [] : [{ type: 'reasoning', choice: 0, text: own }]
}

/** Server tools are called and answered at Amazon. */
export const isClientTool = ({ type }: Fields) => type !== 'server_tool_use'

const imageParts = ({ format, source }: Fields): ChatPart[] => [
  {
    type: 'image',
    choice: 0,
    mimeType: `image/${textOf(format) ?? 'png'}`,
    base64: textOf(fieldsOf(source).bytes) ?? '',
  },
]

/** Text with its citations, which support all of it. */
function citedParts({ content, citations }: Fields, offset: number): ChatPart[] {
  const text = listOf(content).flatMap((piece) => contentParts({ text: fieldsOf(piece).text }))
  const range = citedRange(offset, offset + textLength(text))
  return [...text, ...listOf(citations).flatMap((citation) => citationPart(citation, range))]
}

export const textLength = (parts: readonly ChatPart[]) =>
  parts.reduce((length, part) => length + (part.type === 'text' ? part.text.length : 0), 0)

/** Web pages have a URL; documents and search results sent by the caller have a source, or only an index. */
export function citationPart(citation: unknown, range: ReturnType<typeof citedRange>): ChatPart[] {
  const { location, title, source } = fieldsOf(citation)
  const { web, documentChar, documentPage, documentChunk, searchResultLocation } = fieldsOf(location)
  const url = textOf(fieldsOf(web).url)
  const name = textOf(title)
  const more = { ...(name === undefined || name === '' ? {} : { title: name }), ...range }
  if (url !== undefined) return [{ type: 'citation', choice: 0, url, ...more }]
  const { documentIndex } = fieldsOf(documentChar ?? documentPage ?? documentChunk)
  const index = documentIndex ?? fieldsOf(searchResultLocation).searchResultIndex
  const document = textOf(source) || (typeof index === 'number' ? `${index}` : undefined)
  return document === undefined ? [] : [{ type: 'citation', choice: 0, url: document, document: true, ...more }]
}

const toolCall = ({ toolUseId, name, input }: Fields, call: number): ChatPart => ({
  type: 'tool-call',
  choice: 0,
  call,
  id: textOf(toolUseId) ?? `call_${call}`,
  name: withoutMarks(textOf(name) ?? ''),
  arguments: JSON.stringify(fieldsOf(input)),
})

export function finishParts(reason: string | null | undefined): ChatPart[] {
  if (!reason) return []
  if (BROKEN.has(reason))
    throw new VendorError(failureOf('server', `The model broke off its answer: ${reason}`, { code: reason }))
  return [{ type: 'finish', choice: 0, reason: FINISH.get(reason) ?? 'stop' }]
}

/** The model wrote what nobody could read: a client that took it for an answer would stop its work without a word. */
const BROKEN = new Set(['malformed_model_output', 'malformed_tool_use'])

const FINISH = new Map<string, FinishReason>([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['content_filtered', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
])
