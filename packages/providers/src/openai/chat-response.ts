import { wavOf } from '../base64.ts'
import type { ChatPart, Citation, TokenLogprob } from '../chat.ts'
import { type Choice, collect, type ToolCall, textOfType, toolCalls } from '../collect.ts'
import { customInput, customNames } from '../custom-tool.ts'
import { urlOf } from '../data-url.ts'
import type { AnswerMeta } from '../dialect.ts'
import { defined } from '../json.ts'
import { signatureFor, signatureOut } from '../signature.ts'
import { toFunctionCall, toLegacyFinish } from './legacy-functions.ts'
import { completionUsage } from './usage-body.ts'

/** A whole answer as a chat completion. */
export function chatResponse(parts: readonly ChatPart[], meta: AnswerMeta) {
  const { choices, usage } = collect(parts)
  const answered: Choice[] =
    choices.length > 0 ? choices : [{ index: 0, blocks: [], citations: [], logprobs: [], finish: undefined }]
  return defined({
    id: `chatcmpl-${meta.id}`,
    object: 'chat.completion',
    created: meta.createdSec,
    model: meta.model,
    system_fingerprint: null,
    choices: answered.map((choice) => toChoice(choice, meta)),
    usage: usage === undefined ? undefined : completionUsage(usage),
  })
}

function toChoice(choice: Choice, meta: AnswerMeta) {
  const calls = toolCalls(choice)
  const text = textOfType(choice, 'text')
  const reasoning = textOfType(choice, 'reasoning')
  const details = reasoningDetails(choice)
  const refusal = textOfType(choice, 'refusal') || null
  const isLegacy = meta.request.legacyFunctions === true
  const [called] = calls
  const finish = choice.finish ?? 'stop'
  return {
    index: choice.index,
    message: defined({
      role: 'assistant',
      content: text === '' && (calls.length > 0 || refusal !== null) ? null : text,
      refusal,
      reasoning_content: reasoning === '' ? undefined : reasoning,
      reasoning_details: details.length === 0 ? undefined : details,
      ...(called !== undefined && isLegacy ? { function_call: toFunctionCall(called) } : {}),
      tool_calls:
        called === undefined || isLegacy ? undefined : calls.map((call) => toToolCall(call, customNames(meta.request))),
      images: imagesOf(choice),
      audio: audioOf(choice, meta),
      annotations: choice.citations.length === 0 ? undefined : choice.citations.map(toAnnotation),
    }),
    logprobs: choice.logprobs.length === 0 ? null : toLogprobs(choice.logprobs),
    finish_reason: isLegacy ? toLegacyFinish(finish) : finish,
  }
}

/** A signature that the model wants back goes where clients of signed reasoning look for it. */
const reasoningDetails = ({ blocks }: Choice) =>
  blocks.flatMap((block) => (block.type === 'reasoning' ? reasoningDetail(block) : []))

export function reasoningDetail({
  text,
  signature,
  redacted,
}: {
  text: string
  signature?: string | undefined
  redacted?: string | undefined
}): object[] {
  if (redacted !== undefined) return [{ type: 'reasoning.encrypted', data: redacted }]
  return signature === undefined ? [] : [{ type: 'reasoning.text', text, signature: signatureOut('claude', signature) }]
}

const toToolCall = ({ id, name, arguments: args, signature }: ToolCall, custom: ReadonlySet<string>) =>
  defined({
    id,
    ...(custom.has(name)
      ? { type: 'custom', custom: { name, input: customInput(args) } }
      : { type: 'function', function: { name, arguments: args === '' ? '{}' : args } }),
    extra_content: thoughtSignature(signature),
  })

/** As in Google's own OpenAI-compatible API. */
export function thoughtSignature(signature: string | undefined) {
  const thought_signature = signatureFor('gemini', signature)
  return thought_signature === undefined ? undefined : { google: { thought_signature } }
}

const imagesOf = ({ blocks }: Choice) => {
  const images = blocks.flatMap((block) => (block.type === 'image' ? [toImage(block)] : []))
  return images.length === 0 ? undefined : images
}

/** Audio in the requested format, as one file. */
function audioOf({ blocks }: Choice, { id, createdSec, request }: AnswerMeta) {
  const audio = blocks.find((block) => block.type === 'audio')
  if (audio === undefined) return undefined
  const { base64, transcript, format } = audio
  const data = format === 'pcm16' && request.audio?.format === 'wav' ? wavOf(base64) : base64
  return { id: `audio_${id}`, data, transcript, expires_at: createdSec }
}

export const toImage = (image: { mimeType: string; base64: string }) => ({
  type: 'image_url',
  image_url: { url: urlOf(image) },
})

/**
 * Some vendors report sources for the whole answer, without a position. A chat knows no other kind of source, and clients reject an
 * answer with one, so a document is cited by its id in place of an address.
 */
export const toAnnotation = ({ url, title, document, start = 0, end = 0 }: Citation) => ({
  type: 'url_citation',
  url_citation: { url, title: title ?? (document === undefined ? '' : url), start_index: start, end_index: end },
})

export const toLogprobs = (tokens: readonly TokenLogprob[]) => ({
  content: tokens.map(({ top, ...own }) => ({ ...withBytes(own), top_logprobs: top.map(withBytes) })),
  refusal: null,
})

const encoder = new TextEncoder()
const withBytes = (entry: { token: string; logprob: number }) => ({
  ...entry,
  bytes: [...encoder.encode(entry.token)],
})
