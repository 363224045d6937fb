import type { ChatPart, Citation, FinishReason, TokenLogprob } from '../chat.ts'
import { byteOffset } from '../citation.ts'
import { type Block, type Choice, collect, textOfType } from '../collect.ts'
import { argumentsOrEmpty } from '../content-out.ts'
import type { AnswerMeta } from '../dialect.ts'
import { defined } from '../json.ts'
import { signatureFor } from '../signature.ts'
import { cacheReads, inputTokens, outputTokens, type Usage } from '../usage.ts'
import { redactedToGoogle, signatureToGoogle } from './packed-signature.ts'

/** A whole answer as candidates. */
export function generateResponse(parts: readonly ChatPart[], meta: AnswerMeta) {
  const { choices, usage } = collect(parts)
  return defined({
    candidates: choices.map(toCandidate),
    usageMetadata: usage === undefined ? undefined : usageMetadata(usage),
    modelVersion: meta.model,
    responseId: meta.id,
  })
}

const toCandidate = (choice: Choice) => ({
  content: { parts: choice.blocks.flatMap(toParts), role: 'model' },
  finishReason: finishReason(choice.finish ?? 'stop'),
  index: choice.index,
  ...(choice.citations.length === 0
    ? {}
    : { groundingMetadata: toGrounding(choice.citations, textOfType(choice, 'text')) }),
  ...(choice.logprobs.length === 0 ? {} : { logprobsResult: toLogprobs(choice.logprobs) }),
})

export function toParts(block: Block): object[] {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return [{ text: block.text }]
    case 'reasoning':
      if (block.redacted !== undefined)
        return [{ text: '', thought: true, thoughtSignature: redactedToGoogle(block.redacted) }]
      // Google's own signature without a thought belongs to the text before it.
      if (block.text === '' && signatureFor('gemini', block.signature) !== undefined)
        return [signed({ text: '' }, block.signature)]
      return [signed({ text: block.text, thought: true }, block.signature)]
    case 'tool-call': {
      const { id, name, arguments: args, signature } = block
      return [signed({ functionCall: { id, name, args: argumentsOrEmpty(args) } }, signature)]
    }
    case 'audio': {
      const spoken = { inlineData: { mimeType: PCM16, data: block.base64 } }
      return [
        ...(block.transcript === '' ? [] : [{ text: block.transcript }]),
        ...(block.base64 === '' ? [] : [spoken]),
      ]
    }
    case 'image':
      return [{ inlineData: { mimeType: block.mimeType, data: block.base64 } }]
  }
}

/** The format of Google's own models, which is requested from OpenAI's models as well. */
const PCM16 = 'audio/L16;codec=pcm;rate=24000'

const signed = (part: object, signature: string | undefined) =>
  signature === undefined ? part : { ...part, thoughtSignature: signatureToGoogle(signature) }

/** Each source once, with the text ranges it supports; `text` is the whole answer. */
export function toGrounding(citations: readonly Citation[], text: string) {
  const sources = [...new Map(citations.map((citation) => [citation.url, citation])).values()]
  const places = new Map(sources.map(({ url }, index) => [url, index]))
  const supports = citations.flatMap(({ url, start, end }) =>
    start === undefined || end === undefined
      ? []
      : [
          {
            segment: {
              startIndex: byteOffset(text, start),
              endIndex: byteOffset(text, end),
              text: text.slice(start, end),
            },
            groundingChunkIndices: [places.get(url)],
          },
        ],
  )
  return defined({
    groundingChunks: sources.map(({ url, title, document }) =>
      document === undefined
        ? { web: defined({ uri: url, title }) }
        : { retrievedContext: { uri: url, title: title ?? url } },
    ),
    groundingSupports: supports.length === 0 ? undefined : supports,
  })
}

export const toLogprobs = (tokens: readonly TokenLogprob[]) => ({
  chosenCandidates: tokens.map(toToken),
  topCandidates: tokens.map(({ top }) => ({ candidates: top.map(toToken) })),
})

const toToken = ({ token, logprob }: { token: string; logprob: number }) => ({ token, logProbability: logprob })

const FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
}

export const finishReason = (finish: FinishReason) => FINISH_REASONS[finish]

export const usageMetadata = (usage: Usage) => ({
  promptTokenCount: inputTokens(usage),
  candidatesTokenCount: outputTokens(usage) - usage.reasoning,
  totalTokenCount: inputTokens(usage) + outputTokens(usage),
  ...(cacheReads(usage) === 0 ? {} : { cachedContentTokenCount: cacheReads(usage) }),
  ...(usage.reasoning === 0 ? {} : { thoughtsTokenCount: usage.reasoning }),
})
