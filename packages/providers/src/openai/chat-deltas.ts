import { z } from 'zod'
import type { ChatPart, Citation, FinishReason, TokenLogprob } from '../chat.ts'
import { citedRange } from '../citation.ts'
import { sourceOf } from '../data-url.ts'
import { fieldsOf, isFields, listOf, textOf } from '../json.ts'
import { signedBy } from '../signature.ts'
import { withoutMarks } from '../tool-name.ts'
import type { CallDelta } from './tool-call-numbers.ts'

/* Converts the members of a message or a delta into parts. */

export const Message = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(z.looseObject({ id: z.string().nullish() })).nullish(),
})

export type Message = z.infer<typeof Message>

export const reasoningOf = (message: Message) => textOf(message.reasoning_content) || textOf(message.reasoning) || ''

/** `thought`: the answer contains its reasoning as text, here or earlier. */
export function contentParts(choice: number, message: Message, thought: boolean): ChatPart[] {
  const parts: ChatPart[] = []
  const reasoning = reasoningOf(message)
  if (reasoning !== '') parts.push({ type: 'reasoning', choice, text: reasoning })
  parts.push(...listOf(message.reasoning_details).flatMap((detail) => detailParts(choice, fieldsOf(detail), thought)))
  if (typeof message.content === 'string') {
    if (message.content !== '') parts.push({ type: 'text', choice, text: message.content })
  } else {
    parts.push(...(message.content ?? []).flatMap((block) => blockParts(choice, block)))
  }
  if (message.refusal) parts.push({ type: 'refusal', choice, text: message.refusal })
  for (const image of listOf(message.images)) {
    const source = sourceOf(textOf(fieldsOf(fieldsOf(image).image_url).url) ?? '')
    if ('base64' in source) parts.push({ type: 'image', choice, ...source })
  }
  const { data, transcript } = fieldsOf(message.audio)
  if (data !== undefined || transcript !== undefined) {
    parts.push({ type: 'audio', choice, base64: textOf(data) ?? '', transcript: textOf(transcript) ?? '' })
  }
  return parts
}

/** OpenRouter repeats the reasoning together with what its vendor wants back. */
function detailParts(choice: number, detail: Record<string, unknown>, thought: boolean): ChatPart[] {
  const text = thought ? '' : (textOf(detail.text) ?? textOf(detail.summary) ?? '')
  const spoken: ChatPart[] = text === '' ? [] : [{ type: 'reasoning', choice, text }]
  const signer = SIGNERS.find(({ mark }) => textOf(detail.format)?.includes(mark))?.signer ?? 'claude'
  const [signature, data] = [textOf(detail.signature), textOf(detail.data)]
  if (signature) return [...spoken, { type: 'reasoning', choice, text: '', signature: signedBy(signer, signature) }]
  if (!data) return spoken
  if (signer === 'claude') return [...spoken, { type: 'reasoning', choice, text: '', redacted: data }]
  return [...spoken, { type: 'reasoning', choice, text: '', signature: signedBy(signer, data) }]
}

const SIGNERS = [
  { mark: 'gemini', signer: 'gemini' },
  { mark: 'openai', signer: 'openai' },
  { mark: 'xai', signer: 'xai' },
] as const

/** Mistral's reasoning models send content as a list of blocks. */
function blockParts(choice: number, block: Record<string, unknown>): ChatPart[] {
  if (block.type === 'text') return [{ type: 'text', choice, text: textOf(block.text) ?? '' }]
  if (block.type !== 'thinking') return []
  const text = listOf(block.thinking)
    .map((piece) => textOf(fieldsOf(piece).text) ?? '')
    .join('')
  return text === '' ? [] : [{ type: 'reasoning', choice, text }]
}

/** A custom tool is called with text, which is not in an object yet. */
export const isCustomCall = ({ type, custom }: Record<string, unknown>) => type === 'custom' || isFields(custom)

export function callDelta(call: Record<string, unknown>, index?: number): CallDelta {
  const called = fieldsOf(isCustomCall(call) ? call.custom : call.function)
  const args = called.arguments ?? called.input
  const signature = textOf(fieldsOf(fieldsOf(call.extra_content).google).thought_signature)
  return {
    index: indexOf(call.index) ?? index,
    id: textOf(call.id) || undefined,
    name: withoutMarks(textOf(called.name) ?? '') || undefined,
    arguments: typeof args === 'string' ? args : isFields(args) ? JSON.stringify(args) : '',
    signature: signature === undefined ? undefined : signedBy('gemini', signature),
  }
}

/** Some servers write numbers as text. */
const indexOf = (value: unknown) =>
  typeof value === 'number' ? value : /^\d{1,3}$/.test(textOf(value) ?? '') ? Number(value) : undefined

/** Groq lists the results of its own searches one by one. */
export const annotationsOf = (message: Message) => [
  ...listOf(message.annotations).flatMap((annotation) => sourceAt(fieldsOf(annotation).url_citation)),
  ...listOf(message.executed_tools).flatMap((tool) =>
    listOf(fieldsOf(fieldsOf(tool).search_results).results).flatMap(sourceAt),
  ),
]

/** Perplexity repeats its sources beside the choices of every chunk; Zhipu uses another name for them. */
export const sourcesOf = (chunk: Record<string, unknown>) => [
  ...listOf(chunk.search_results).flatMap(sourceAt),
  ...listOf(chunk.web_search).flatMap(sourceAt),
  ...listOf(chunk.citations).flatMap((url) => (typeof url === 'string' ? [{ url }] : [])),
]

function sourceAt(value: unknown): Citation[] {
  const { link, url = link, title, start_index, end_index } = fieldsOf(value)
  if (typeof url !== 'string') return []
  return [{ url, ...(typeof title === 'string' ? { title } : {}), ...citedRange(start_index, end_index) }]
}

export const tokensOf = (logprobs: unknown): TokenLogprob[] =>
  listOf(fieldsOf(logprobs).content).flatMap((entry) =>
    logprobAt(entry).map((own) => ({ ...own, top: listOf(fieldsOf(entry).top_logprobs).flatMap(logprobAt) })),
  )

function logprobAt(entry: unknown): { token: string; logprob: number }[] {
  const { token, logprob } = fieldsOf(entry)
  return typeof token === 'string' && typeof logprob === 'number' ? [{ token, logprob }] : []
}

const FINISH = new Map<string, FinishReason>([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['insufficient_system_resource', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['model_context_window_exceeded', 'length'],
])

/** OpenAI ends a forced call with `stop`, but clients check for `tool_calls` first. */
export function toFinishReason(reason: string, called: boolean): FinishReason {
  const known = FINISH.get(reason) ?? 'stop'
  return known === 'stop' && called ? 'tool_calls' : known
}
