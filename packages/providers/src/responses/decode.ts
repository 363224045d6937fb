import { z } from 'zod'
import type { ChatPart, FinishReason } from '../chat.ts'
import { citedRange } from '../citation.ts'
import { customArguments } from '../custom-tool.ts'
import { failureOf, VendorError } from '../failure.ts'
import { type Fields, fieldsOf, listOf, parseVendor, textOf } from '../json.ts'
import { tokensOf } from '../openai/chat-deltas.ts'
import { embeddedError } from '../openai/embedded-error.ts'
import { readOpenAiReport } from '../openai/usage.ts'
import { readOpenAiServiceTier } from '../service-tier.ts'
import { signedBy } from '../signature.ts'
import { withoutMarks } from '../tool-name.ts'

const Response = z.looseObject({
  id: z.string().default(''),
  model: z.string().default(''),
  output: z.array(z.looseObject({ type: z.string() })),
})

/** These end without an answer. */
const BROKEN = new Set<unknown>(['failed', 'cancelled'])

/** A whole response. Items of server tools are left out, except for the images they generate. */
export function decodeResponse(body: unknown): ChatPart[] {
  const { status, error } = fieldsOf(body)
  if (BROKEN.has(status)) throw failureIn(error)
  const response = parseVendor(Response, body)
  let call = 0
  let offset = 0
  return [
    { type: 'start', id: response.id, model: response.model },
    ...response.output.flatMap((item) => {
      if (isCall(item)) return [callPart(item, call++, argumentsOf(item))]
      const parts = itemParts(item, offset)
      for (const part of parts) if (part.type === 'text') offset += part.text.length
      return parts
    }),
    ...closingParts(response, call > 0),
  ]
}

export const isCall = ({ type }: Fields) => type === 'function_call' || type === 'custom_tool_call'

export const argumentsOf = ({ type, input, arguments: args }: Fields) =>
  type === 'custom_tool_call' ? customArguments(textOf(input) ?? '') : textOf(args) || '{}'

export function itemParts(item: Fields, offset: number): ChatPart[] {
  if (item.type === 'message') {
    let before = offset
    return listOf(item.content)
      .map(fieldsOf)
      .flatMap((content) => {
        const parts = contentParts(content, before)
        before += textOf(content.text)?.length ?? 0
        return parts
      })
  }
  if (item.type !== 'reasoning') return finishedParts(item)
  const summary = listOf(item.summary).length > 0 ? item.summary : item.content
  const text = listOf(summary)
    .map((part) => textOf(fieldsOf(part).text) ?? '')
    .join('\n\n')
  return [...(text === '' ? [] : [{ type: 'reasoning' as const, choice: 0, text }]), ...finishedParts(item)]
}

/** Parts that only the end of an item contains. */
export function finishedParts(item: Fields): ChatPart[] {
  const signature = item.type === 'reasoning' ? textOf(item.encrypted_content) : undefined
  if (signature) return [{ type: 'reasoning', choice: 0, text: '', signature: signedBy('openai', signature) }]
  const image = item.type === 'image_generation_call' ? textOf(item.result) : undefined
  if (!image) return []
  return [{ type: 'image', choice: 0, mimeType: `image/${textOf(item.output_format) ?? 'png'}`, base64: image }]
}

function contentParts({ type, text, refusal, annotations, logprobs }: Fields, before: number): ChatPart[] {
  if (type === 'refusal') return [{ type: 'refusal', choice: 0, text: textOf(refusal) ?? '' }]
  if (type !== 'output_text') return []
  const tokens = tokensOf({ content: logprobs })
  return [
    ...(text ? [{ type: 'text' as const, choice: 0, text: textOf(text) ?? '' }] : []),
    ...(tokens.length === 0 ? [] : [{ type: 'logprobs' as const, choice: 0, tokens }]),
    ...listOf(annotations).flatMap((annotation) => citationParts(annotation, before)),
  ]
}

/** Offsets count from the start of a part, before which other parts may exist. */
export function citationParts(annotation: unknown, before = 0): ChatPart[] {
  const { type, url, file_id, title, filename, start_index, end_index } = fieldsOf(annotation)
  const name = textOf(title) || textOf(filename)
  const named = name ? { title: name } : {}
  const { start, end } = citedRange(start_index, end_index)
  const place = start === undefined || end === undefined ? {} : { start: before + start, end: before + end }
  if (FILES.has(type) && typeof file_id === 'string')
    return [{ type: 'citation', choice: 0, url: file_id, ...named, document: true, ...place }]
  if (type !== 'url_citation' || typeof url !== 'string') return []
  return [{ type: 'citation', choice: 0, url, ...named, ...place }]
}

/** A file of the caller's, and one that a tool of the vendor wrote. */
const FILES = new Set<unknown>(['file_citation', 'container_file_citation', 'file_path'])

export const callPart = (item: Fields, call: number, args: string): ChatPart => ({
  type: 'tool-call',
  choice: 0,
  call,
  id: textOf(item.call_id) ?? textOf(item.id) ?? `call_${call}`,
  name: withoutMarks(textOf(item.name) ?? ''),
  arguments: args,
})

export function closingParts(response: Fields, called: boolean): ChatPart[] {
  const usage = readOpenAiReport(response)
  const cut = REASONS.get(textOf(fieldsOf(response.incomplete_details).reason) ?? '')
  return [
    { type: 'finish', choice: 0, reason: cut ?? (called ? 'tool_calls' : 'stop') },
    ...(usage === undefined ? [] : [{ type: 'usage' as const, usage, ...tierOf(response) }]),
  ]
}

const tierOf = (response: Fields) => {
  const serviceTier = readOpenAiServiceTier(response)
  return serviceTier === undefined ? {} : { serviceTier }
}

const REASONS = new Map<string, FinishReason>([
  ['max_output_tokens', 'length'],
  ['max_messages', 'length'],
  ['content_filter', 'content_filter'],
])

/** A failed response contains its error. */
export const failureIn = (error: unknown) =>
  embeddedError({ error }) ?? new VendorError(failureOf('server', 'The upstream reported an error'))
