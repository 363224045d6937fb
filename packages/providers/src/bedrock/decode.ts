import { z } from 'zod'
import type { ChatPart, FinishReason } from '../chat.ts'
import { type Fields, fieldsOf, isFields, listOf, parseVendor, textOf } from '../json.ts'
import { signedBy } from '../signature.ts'
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
  return [
    { type: 'start', id: '', model: '' },
    ...(reply.output.message.content ?? []).flatMap((block) =>
      isFields(block.toolUse) && isClientTool(block.toolUse) ? [toolCall(block.toolUse, call++)] : contentParts(block),
    ),
    ...finishParts(reply.stopReason),
    ...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]),
  ]
}

/** A content block or a delta of one: they use the same member names. */
export function contentParts(block: Fields): ChatPart[] {
  if (typeof block.text === 'string') return block.text === '' ? [] : [{ type: 'text', choice: 0, text: block.text }]
  if (isFields(block.image)) return imageParts(block.image)
  if (isFields(block.citationsContent)) return citedParts(block.citationsContent)
  if (isFields(block.citation)) return citationParts(block.citation)
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

/** Text with its citations; only web pages have a URL. */
const citedParts = ({ content, citations }: Fields): ChatPart[] => [
  ...listOf(content).flatMap((piece) => contentParts({ text: fieldsOf(piece).text })),
  ...listOf(citations).flatMap((citation) => citationParts(fieldsOf(citation))),
]

function citationParts({ location, title }: Fields): ChatPart[] {
  const url = textOf(fieldsOf(fieldsOf(location).web).url)
  if (url === undefined) return []
  return [{ type: 'citation', choice: 0, url, ...(typeof title === 'string' && title !== '' ? { title } : {}) }]
}

const toolCall = ({ toolUseId, name, input }: Fields, call: number): ChatPart => ({
  type: 'tool-call',
  choice: 0,
  call,
  id: textOf(toolUseId) ?? `call_${call}`,
  name: textOf(name) ?? '',
  arguments: JSON.stringify(fieldsOf(input)),
})

export const finishParts = (reason: string | null | undefined): ChatPart[] =>
  reason ? [{ type: 'finish', choice: 0, reason: FINISH[reason] ?? 'stop' }] : []

const FINISH: Record<string, FinishReason> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
}
