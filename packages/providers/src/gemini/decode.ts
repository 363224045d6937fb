import { z } from 'zod'
import type { ChatPart, FinishReason } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { citationKey } from '../citation.ts'
import { failureOf, VendorError } from '../failure.ts'
import { defined, type Fields, isFields, parseVendor, parseVendorJson, textOf } from '../json.ts'
import { signedBy } from '../signature.ts'
import { callDecoder } from './calls.ts'
import { errorOf } from './explain.ts'
import { citationsOf, logprobsOf } from './grounding.ts'
import { readGeminiUsage } from './usage.ts'

/* A whole answer has the same form as a stream chunk, so it is decoded as a single chunk. */

export const decodeGenerate = (body: unknown): ChatPart[] => pieceDecoder()(body)

export function generateStreamDecoder(): (event: StreamEvent) => ChatPart[] {
  const decode = pieceDecoder()
  return ({ data }) => (data === '' ? [] : decode(parseVendorJson(data)))
}

const Piece = z.looseObject({
  responseId: z.string().nullish(),
  modelVersion: z.string().nullish(),
  promptFeedback: z
    .looseObject({ blockReason: z.string().nullish(), blockReasonMessage: z.string().nullish() })
    .nullish(),
  candidates: z
    .array(
      z.looseObject({
        index: z.int().nullish(),
        content: z.looseObject({ parts: z.array(z.looseObject({})).nullish() }).nullish(),
        finishReason: z.string().nullish(),
        finishMessage: z.string().nullish(),
      }),
    )
    .nullish(),
})

type Candidate = NonNullable<z.infer<typeof Piece>['candidates']>[number]

function pieceDecoder() {
  let id: string | undefined
  const calls = new Map<number, ReturnType<typeof callDecoder>>()
  const finished = new Set<number>()
  const cited = new Set<string>()
  const texts = new Map<number, string>()
  let searched = 0
  let onMaps = 0

  const start = ({ responseId, modelVersion }: z.infer<typeof Piece>): ChatPart[] => {
    if (id !== undefined) return []
    id = responseId ?? ''
    return [{ type: 'start', id, model: modelVersion ?? '' }]
  }

  const content = (choice: number, part: Fields): ChatPart[] => {
    if (isFields(part.functionCall)) {
      const own = calls.get(choice) ?? callDecoder(choice, id ? `call_${id}_${choice}` : undefined)
      calls.set(choice, own)
      return own.read(part.functionCall, textOf(part.thoughtSignature))
    }
    // Draft images made while thinking are not part of the answer.
    if (isFields(part.inlineData)) return part.thought === true ? [] : mediaPart(choice, part.inlineData)
    return textParts(choice, part)
  }

  /** With code execution each section of the answer has a finish reason, and nothing marks the last one. */
  const finish = (choice: number, { finishReason: reason, finishMessage }: Candidate): ChatPart[] => {
    if (!reason || reason === 'FINISH_REASON_UNSPECIFIED') return []
    const broken = BROKEN.get(reason)
    if (broken !== undefined)
      throw new VendorError(
        failureOf(broken, finishMessage || `The model broke off its answer: ${reason}`, { code: reason }),
      )
    const known = FINISH.get(reason) ?? 'stop'
    const called = calls.get(choice)
    const why = known === 'content_filter' && !finished.has(choice) ? finishMessage : undefined
    finished.add(choice)
    return [
      ...(called?.close() ?? []),
      ...(why ? [{ type: 'refusal' as const, choice, text: why, notice: true as const }] : []),
      { type: 'finish', choice, reason: known === 'stop' && called !== undefined ? 'tool_calls' : known },
    ]
  }

  return (body: unknown): ChatPart[] => {
    const failure = errorOf(body)
    if (failure !== undefined) throw failure
    const piece = parseVendor(Piece, body)
    const usage = readGeminiUsage(body)
    const parts = start(piece)
    for (const [position, candidate] of (piece.candidates ?? []).entries()) {
      const choice = candidate.index ?? position
      const contentParts = (candidate.content?.parts ?? []).flatMap((part) => content(choice, part))
      for (const part of contentParts)
        if (part.type === 'text') texts.set(choice, (texts.get(choice) ?? '') + part.text)
      // Citations belong to the text, and a signature closes it.
      const closing = isBareSignature(contentParts.at(-1)) ? contentParts.splice(-1) : []
      parts.push(
        ...contentParts,
        ...logprobsOf(choice, candidate),
        ...unseen(cited, citationsOf(choice, candidate, texts.get(choice) ?? '')),
      )
      parts.push(...closing, ...finish(choice, candidate))
    }
    parts.push(...blocked(piece.promptFeedback))
    // Searches are reported once, output counts in every chunk.
    searched = Math.max(searched, usage?.webSearches ?? 0)
    onMaps = Math.max(onMaps, usage?.mapsQueries ?? 0)
    if (usage !== undefined)
      parts.push({ type: 'usage', usage: { ...usage, webSearches: searched, mapsQueries: onMaps } })
    return parts
  }
}

/**
 * Most dialects have no place for a signature on plain text: it follows the text as empty reasoning, which clients
 * return.
 */
function textParts(choice: number, { text, thought, thoughtSignature }: Fields): ChatPart[] {
  if (typeof text !== 'string') return []
  const signature = textOf(thoughtSignature) ? signedBy('gemini', String(thoughtSignature)) : undefined
  const [words, thoughts] = thought === true ? ['', text] : [text, '']
  return [
    ...(words === '' ? [] : [{ type: 'text' as const, choice, text: words }]),
    ...(thoughts === '' && signature === undefined
      ? []
      : [defined({ type: 'reasoning' as const, choice, text: thoughts, signature })]),
  ]
}

const isBareSignature = (part: ChatPart | undefined) =>
  part?.type === 'reasoning' && part.text === '' && part.signature !== undefined

/** A blocked prompt has no candidates; the block reason is all there is. */
function blocked(feedback: z.infer<typeof Piece>['promptFeedback']): ChatPart[] {
  if (!feedback?.blockReason || feedback.blockReason === 'BLOCKED_REASON_UNSPECIFIED') return []
  const { blockReason, blockReasonMessage } = feedback
  const words = `The prompt was blocked: ${blockReason}`
  return [
    { type: 'refusal', choice: 0, text: blockReasonMessage ? `${words}. ${blockReasonMessage}` : words, notice: true },
    { type: 'finish', choice: 0, reason: 'content_filter' },
  ]
}

function mediaPart(choice: number, { mimeType, data }: Fields): ChatPart[] {
  const type = textOf(mimeType) ?? 'image/png'
  const base64 = textOf(data) ?? ''
  if (type.startsWith('image/')) return [{ type: 'image', choice, mimeType: type, base64 }]
  return type.startsWith('audio/') ? [{ type: 'audio', choice, base64, transcript: '', format: 'pcm16' }] : []
}

/** Citations are repeated in every chunk. */
const unseen = (seen: Set<string>, parts: Extract<ChatPart, { type: 'citation' }>[]) =>
  parts.filter((part) => {
    const key = citationKey(part)
    return !seen.has(key) && seen.add(key)
  })

/**
 * The model wanted to call a tool and failed. There is nothing to run and nothing to read: a client that took this for the end
 * of a turn would stop its work without a word.
 */
const BROKEN = new Map<string, 'server' | 'client'>([
  ['MALFORMED_FUNCTION_CALL', 'server'],
  ['UNEXPECTED_TOOL_CALL', 'server'],
  ['TOO_MANY_TOOL_CALLS', 'server'],
  ['MALFORMED_RESPONSE', 'server'],
  // The conversation lacks what the model had signed: no other channel can help.
  ['MISSING_THOUGHT_SIGNATURE', 'client'],
])

const FINISH = new Map<string, FinishReason>([
  ['MAX_TOKENS', 'length'],
  // More of the answer could be asked for, by a token that no other dialect has.
  ['CONTINUATION', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['LANGUAGE', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
  ['IMAGE_OTHER', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
])
