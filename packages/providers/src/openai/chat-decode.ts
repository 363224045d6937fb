import { z } from 'zod'
import type { ChatPart, Citation } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { citationKey } from '../citation.ts'
import { endingAtMark } from '../end-mark.ts'
import { isFields, parseVendor, parseVendorJson } from '../json.ts'
import { readOpenAiServiceTier } from '../service-tier.ts'
import { brokenFinish } from './broken-finish.ts'
import {
  annotationsOf,
  callDelta,
  contentParts,
  isCustomCall,
  Message,
  reasoningOf,
  sourcesOf,
  toFinishReason,
  tokensOf,
} from './chat-deltas.ts'
import { customCalls } from './custom-calls.ts'
import { embeddedError } from './embedded-error.ts'
import { asToolCalls } from './legacy-functions.ts'
import { callNumbers } from './tool-call-numbers.ts'
import { readOpenAiReport } from './usage.ts'

/*
 * Answers of chat completions, by OpenAI and compatible vendors: without roles, with reasoning under two names, usage in any
 * chunk or in several, tool calls without an index, nulls and empty lists for nothing, the whole message repeated at the end
 * of a stream.
 */

export const decodeChat = (body: unknown): ChatPart[] => chunkDecoder('message')(body)

export function chatStreamDecoder(): (event: StreamEvent) => ChatPart[] {
  const decode = chunkDecoder('delta')
  return endingAtMark(({ data }) => decode(parseVendorJson(data)))
}

const Choice = z.looseObject({
  index: z.number().nullish(),
  delta: Message.nullish(),
  message: Message.nullish(),
  finish_reason: z.string().nullish(),
})

const Chunk = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  model: z.string().nullish(),
  choices: z.array(Choice).nullish(),
})

/** A whole answer is one chunk whose choices are messages. The decoder keeps the state of one answer. */
export function chunkDecoder(piece: 'message' | 'delta') {
  let started = false
  let id = ''
  let serviceTier: string | undefined
  const callsOf = new Map<number, ReturnType<typeof callNumbers>>()
  const custom = customCalls()
  const finished = new Set<number>()
  const cited = new Set<string>()
  const thought = new Set<number>()
  /** Choices that arrive as deltas: a message among them repeats what was sent. */
  const piecewise = new Set<number>()

  const start = (chunk: z.infer<typeof Chunk>): ChatPart[] => {
    if (started) return []
    started = true
    id = String(chunk.id ?? '')
    return [{ type: 'start', id, model: chunk.model ?? '' }]
  }

  const calls = (choice: number, message: Message): ChatPart[] => {
    const entries = message.tool_calls?.length ? message.tool_calls : asToolCalls(message.function_call)
    if (entries.length === 0) return []
    const number = callsOf.get(choice) ?? callNumbers(id ? `call_${id}_${choice}` : undefined)
    callsOf.set(choice, number)
    // In a whole answer each entry is a call of its own. In a stream a single entry may continue any call; several at
    // once are distinguished by position.
    const place = (index: number) => (piece === 'message' || entries.length > 1 ? index : undefined)
    return entries.map((call, index) => {
      const part = { type: 'tool-call' as const, choice, ...number(callDelta(call, place(index))) }
      return isCustomCall(call) ? custom.wrapped(part) : part
    })
  }

  const citations = (choice: number, urls: Citation[]): ChatPart[] =>
    urls.flatMap((source) => {
      const key = citationKey(source)
      if (cited.has(key)) return []
      cited.add(key)
      return [{ type: 'citation' as const, choice, ...source }]
    })

  const finish = (choice: number, entry: z.infer<typeof Choice>): ChatPart[] => {
    const { finish_reason: reason } = entry
    if (!reason || finished.has(choice)) return []
    const failure = brokenFinish(entry)
    if (failure !== undefined) throw failure
    finished.add(choice)
    const called = callsOf.has(choice)
    return [...custom.ends(choice), { type: 'finish', choice, reason: toFinishReason(reason, called) }]
  }

  const messageOf = (choice: number, { delta, message, ...entry }: z.infer<typeof Choice>): Message | undefined => {
    if (isFields(entry.error)) throw embeddedError(entry)
    const own = piece === 'delta' ? delta : message
    if (own != null && piece === 'delta') piecewise.add(choice)
    return own ?? (piecewise.has(choice) ? undefined : message) ?? undefined
  }

  return (body: unknown): ChatPart[] => {
    const usage = readOpenAiReport(body)
    // OpenRouter may report the usage of a finished answer together with an error about its end: the answer remains valid.
    const stands = usage !== undefined && finished.size > 0
    const failure = isFields(body) && !stands ? embeddedError(body) : undefined
    if (failure !== undefined) throw failure
    const chunk = parseVendor(Chunk, body)
    const parts = start(chunk)
    const sources = sourcesOf(chunk)
    for (const [position, entry] of (chunk.choices ?? []).entries()) {
      const choice = entry.index ?? position
      const message = messageOf(choice, entry)
      if (message !== undefined) {
        if (reasoningOf(message) !== '') thought.add(choice)
        parts.push(...contentParts(choice, message, thought.has(choice)))
        parts.push(...calls(choice, message))
        parts.push(...citations(choice, annotationsOf(message)))
      }
      const tokens = tokensOf(entry.logprobs)
      if (tokens.length > 0) parts.push({ type: 'logprobs', choice, tokens })
      // They are the same for every choice, and the first has them.
      parts.push(...citations(choice, sources.splice(0)))
      parts.push(...finish(choice, entry))
    }
    // xAI sends its sources with the usage, after the last choice.
    if (!chunk.choices?.length) parts.push(...citations(0, sources))
    serviceTier = readOpenAiServiceTier(body) ?? serviceTier
    if (usage !== undefined) parts.push({ type: 'usage', usage, ...(serviceTier === undefined ? {} : { serviceTier }) })
    return parts
  }
}
