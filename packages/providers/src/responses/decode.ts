import { z } from 'zod'
import type { ChatPart, FinishReason } from '../chat.ts'
import { customArguments } from '../custom-tool.ts'
import { failureOf, VendorError } from '../failure.ts'
import { type Fields, fieldsOf, listOf, parseVendor, textOf } from '../json.ts'
import { tokensOf } from '../openai/chat-pieces.ts'
import { embeddedError } from '../openai/embedded-error.ts'
import { readOpenAiUsage } from '../openai/usage.ts'
import { readOpenAiServiceTier } from '../service-tier.ts'
import { signedBy } from '../signature.ts'

const Response = z.looseObject({
  id: z.string().default(''),
  model: z.string().default(''),
  output: z.array(z.looseObject({ type: z.string() })).default([]),
})

/** A whole response. Items of tools that run at the vendor are left out; what they draw is not. */
export function decodeResponse(body: unknown): ChatPart[] {
  const response = parseVendor(Response, body)
  if (response.status === 'failed') throw failureIn(response.error)
  let call = 0
  return [
    { type: 'start', id: response.id, model: response.model },
    ...response.output.flatMap((item) =>
      isCall(item) ? [callPart(item, call++, argumentsOf(item))] : itemParts(item),
    ),
    ...closingParts(response, call > 0),
  ]
}

export const isCall = ({ type }: Fields) => type === 'function_call' || type === 'custom_tool_call'

export const argumentsOf = ({ type, input, arguments: args }: Fields) =>
  type === 'custom_tool_call' ? customArguments(textOf(input) ?? '') : textOf(args) || '{}'

function itemParts(item: Fields): ChatPart[] {
  if (item.type === 'message') return listOf(item.content).map(fieldsOf).flatMap(contentParts)
  if (item.type !== 'reasoning') return finishedParts(item)
  const summary = listOf(item.summary).length > 0 ? item.summary : item.content
  const text = listOf(summary)
    .map((part) => textOf(fieldsOf(part).text) ?? '')
    .join('\n\n')
  return [...(text === '' ? [] : [{ type: 'reasoning' as const, choice: 0, text }]), ...finishedParts(item)]
}

/** What only the end of an item tells. */
export function finishedParts(item: Fields): ChatPart[] {
  const signature = item.type === 'reasoning' ? textOf(item.encrypted_content) : undefined
  if (signature) return [{ type: 'reasoning', choice: 0, text: '', signature: signedBy('openai', signature) }]
  const image = item.type === 'image_generation_call' ? textOf(item.result) : undefined
  if (!image) return []
  return [{ type: 'image', choice: 0, mimeType: `image/${textOf(item.output_format) ?? 'png'}`, base64: image }]
}

function contentParts({ type, text, refusal, annotations, logprobs }: Fields): ChatPart[] {
  if (type === 'refusal') return [{ type: 'refusal', choice: 0, text: textOf(refusal) ?? '' }]
  if (type !== 'output_text') return []
  const tokens = tokensOf({ content: logprobs })
  return [
    ...(text ? [{ type: 'text' as const, choice: 0, text: textOf(text) ?? '' }] : []),
    ...(tokens.length === 0 ? [] : [{ type: 'logprobs' as const, choice: 0, tokens }]),
    ...listOf(annotations).flatMap(citationParts),
  ]
}

export function citationParts(annotation: unknown): ChatPart[] {
  const { type, url, title } = fieldsOf(annotation)
  if (type !== 'url_citation' || typeof url !== 'string') return []
  return [{ type: 'citation', choice: 0, url, ...(typeof title === 'string' && title !== '' ? { title } : {}) }]
}

export const callPart = (item: Fields, call: number, args: string): ChatPart => ({
  type: 'tool-call',
  choice: 0,
  call,
  id: textOf(item.call_id) ?? textOf(item.id) ?? `call_${call}`,
  name: textOf(item.name) ?? '',
  arguments: args,
})

export function closingParts(response: Fields, called: boolean): ChatPart[] {
  const usage = readOpenAiUsage(response)
  const cut = REASONS[textOf(fieldsOf(response.incomplete_details).reason) ?? '']
  return [
    { type: 'finish', choice: 0, reason: cut ?? (called ? 'tool_calls' : 'stop') },
    ...(usage === undefined ? [] : [{ type: 'usage' as const, usage, ...tierOf(response) }]),
  ]
}

const tierOf = (response: Fields) => {
  const serviceTier = readOpenAiServiceTier(response)
  return serviceTier === undefined ? {} : { serviceTier }
}

const REASONS: Record<string, FinishReason> = { max_output_tokens: 'length', content_filter: 'content_filter' }

/** A response that failed says so in itself. */
export const failureIn = (error: unknown) =>
  embeddedError({ error }) ?? new VendorError(failureOf('server', 'The upstream reported an error'))
