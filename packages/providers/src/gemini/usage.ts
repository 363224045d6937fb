import { countOf, split } from '../count.ts'
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../json.ts'
import { NO_USAGE, type Usage } from '../usage.ts'

/** The usage in one parsed body or stream event of Google's dialect. Early events may contain none. */
export function readGeminiUsage(body: unknown): Usage | undefined {
  const usage = isFields(body) ? (body.usageMetadata ?? body.usage_metadata) : undefined
  if (!isFields(usage)) return undefined
  const prompt = countOf(usage.promptTokenCount)
  const thoughts = countOf(usage.thoughtsTokenCount)
  const candidates =
    countOf(usage.candidatesTokenCount) ?? countOf(usage.responseTokenCount) ?? remainder(usage, prompt, thoughts)
  if (prompt === undefined && candidates === undefined && thoughts === undefined)
    return blocked(body) ? NO_USAGE : undefined
  return {
    ...NO_USAGE,
    ...inputBuckets(prompt ?? 0, usage),
    ...outputBuckets(candidates ?? 0, thoughts ?? 0, usage),
    webSearches: searchesIn(body),
    mapsQueries: mapsIn(body),
  }
}

/** What the total contains beside the other counts, where the candidates have none of their own. */
function remainder(usage: Fields, prompt: number | undefined, thoughts = 0) {
  const total = countOf(usage.totalTokenCount)
  if (total === undefined || prompt === undefined) return undefined
  return Math.max(0, total - prompt - thoughts - (countOf(usage.toolUsePromptTokenCount) ?? 0))
}

/**
 * How many searches Google bills: from Gemini 3 on every distinct query; before that one per call that searched. Empty
 * queries are listed but not billed.
 */
function searchesIn(body: unknown) {
  const { candidates, modelVersion } = fieldsOf(body)
  if (!Array.isArray(candidates)) return 0
  const queries = new Set<unknown>()
  for (const candidate of candidates) {
    const { webSearchQueries } = fieldsOf(fieldsOf(candidate).groundingMetadata)
    for (const query of listOf(webSearchQueries)) if (textOf(query)) queries.add(query)
  }
  return BILLED_BY_QUESTION.test(textOf(modelVersion) ?? '') ? queries.size : Math.min(queries.size, 1)
}

/** Grounding with Google Maps is billed once per answer, however many places it names. */
function mapsIn(body: unknown) {
  const rests = listOf(fieldsOf(body).candidates).some((candidate) =>
    listOf(fieldsOf(fieldsOf(candidate).groundingMetadata).groundingChunks).some((chunk) => 'maps' in fieldsOf(chunk)),
  )
  return rests ? 1 : 0
}

const BILLED_BY_QUESTION = /^gemini-([3-9]|\d\d)/

/** A blocked prompt is neither counted nor billed. */
const blocked = (body: unknown) => textOf(fieldsOf(fieldsOf(body).promptFeedback).blockReason) !== undefined

/** What Google's tools add to the prompt is counted separately. */
function inputBuckets(prompt: number, usage: Fields) {
  const total = prompt + (countOf(usage.toolUsePromptTokenCount) ?? 0)
  const uncached = (modality: string) =>
    Math.max(0, tokensOf(usage.promptTokensDetails, modality) - tokensOf(usage.cacheTokensDetails, modality))
  const cached = Math.min(countOf(usage.cachedContentTokenCount) ?? 0, total)
  const { rest: cachedInput, ...cachedMedia } = split(cached, [
    ['cachedAudio', tokensOf(usage.cacheTokensDetails, 'AUDIO')],
    ['cachedImage', tokensOf(usage.cacheTokensDetails, 'IMAGE')],
  ])
  const { audioInput, imageInput, rest } = split(total - cached, [
    ['audioInput', uncached('AUDIO')],
    ['imageInput', uncached('IMAGE')],
  ])
  return { input: rest, cachedInput, ...cachedMedia, cacheWrite: 0, cacheWriteLong: 0, audioInput, imageInput }
}

/** Thoughts are counted beside the candidates, not in them. */
function outputBuckets(candidates: number, reasoning: number, usage: Fields) {
  const details = usage.candidatesTokensDetails ?? usage.responseTokensDetails
  const { audioOutput, imageOutput, rest } = split(candidates, [
    ['audioOutput', tokensOf(details, 'AUDIO')],
    ['imageOutput', tokensOf(details, 'IMAGE')],
  ])
  return { output: rest, reasoning, audioOutput, imageOutput } satisfies Partial<Usage>
}

const tokensOf = (details: unknown, modality: string) =>
  listOf(details).reduce<number>((sum, entry) => {
    const detail = fieldsOf(entry)
    return detail.modality === modality ? sum + (countOf(detail.tokenCount) ?? 0) : sum
  }, 0)
