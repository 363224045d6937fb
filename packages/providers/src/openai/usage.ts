import { countOf, split } from '../count.ts'
import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'
import { inputTokens, NO_USAGE, outputTokens, type Usage, usageOf } from '../usage.ts'
import { toolUseIn } from './searches.ts'

/**
 * The usage in one parsed body or stream event of OpenAI's dialect or a compatible vendor: chat, completions, embeddings,
 * responses, images, transcriptions, rerank. Undefined when there is none, and without the side that is not reported; called for
 * every event, so it has to be cheap.
 */
export function readOpenAiReport(body: unknown): Partial<Usage> | undefined {
  if (!isFields(body)) return undefined
  const usage = usageIn(body)
  if (usage === undefined) return durationIn(body)
  const input = countOf(usage.prompt_tokens) ?? countOf(usage.input_tokens)
  const output = countOf(usage.completion_tokens) ?? countOf(usage.output_tokens)
  const total = countOf(usage.total_tokens)
  if (input === undefined && output === undefined) {
    if (typeof usage.seconds === 'number' && usage.seconds >= 0) return audioUsage(usage.seconds)
    // Rerank and some embeddings report only a total; a chat's total cannot be split.
    return total === undefined || 'choices' in body ? undefined : { ...NO_USAGE, input: total }
  }
  const before = inputBuckets(input ?? 0, usage)
  const beside = total === undefined ? undefined : total - inputTokens(before) - (output ?? 0)
  if (beside !== undefined && beside > 0 && countOf(usage.prompt_audio_seconds)) {
    // Mistral counts audio input only in the total.
    return { ...NO_USAGE, ...before, audioInput: before.audioInput + beside, output: output ?? 0 }
  }
  const after = outputBuckets({ output: output ?? 0, beside }, usage, body)
  const counted = withResearch({ ...NO_USAGE, ...before, ...after, ...toolUseIn(usage, body) }, usage)
  return input === undefined || output === undefined ? withoutUnknown(counted) : counted
}

/** The same for a whole answer, in which what is not reported was not used. */
export function readOpenAiUsage(body: unknown): Usage | undefined {
  const report = readOpenAiReport(body)
  return report === undefined ? undefined : usageOf(report)
}

/** A vendor that reports input at the start and output at the end says nothing about the other in either place. */
function withoutUnknown(usage: Usage): Partial<Usage> {
  const { output, reasoning, audioOutput, imageOutput, ...before } = usage
  if (outputTokens(usage) === 0) return before
  const { input, cachedInput, cachedAudio, cachedImage, cacheWrite, cacheWriteLong, audioInput, imageInput, ...after } =
    usage
  return inputTokens(usage) === 0 ? after : usage
}

/** Perplexity's deep research reads and reasons beyond its totals; citations are billed like input. */
function withResearch(counted: Usage, { citation_tokens, reasoning_tokens }: Fields): Usage {
  const citations = countOf(citation_tokens)
  if (citations === undefined) return counted
  const reasoning = counted.reasoning + (countOf(reasoning_tokens) ?? 0)
  return { ...counted, input: counted.input + citations, reasoning }
}

/** Verbose transcripts report the audio duration, and older servers nothing else. */
function durationIn({ text, duration }: Fields): Usage | undefined {
  if (typeof text !== 'string' || duration === undefined) return undefined
  const seconds = Number(duration)
  return seconds >= 0 && Number.isFinite(seconds) ? audioUsage(seconds) : undefined
}

/** Audio billed by time, expressed as tokens: ten per second. */
const audioUsage = (seconds: number): Usage => ({ ...NO_USAGE, audioInput: Math.ceil(seconds * 10) })

/** Beside the answer; inside `response` for streamed responses; where Groq, Moonshot and the rerankers put it. */
function usageIn(body: Fields): Fields | undefined {
  if (isFields(body.usage)) return body.usage
  if (isFields(body.response)) return isFields(body.response.usage) ? body.response.usage : undefined
  if (isFields(body.x_groq) && isFields(body.x_groq.usage)) return body.x_groq.usage
  if (isFields(body.meta)) return isFields(body.meta.tokens) ? body.meta.tokens : undefined
  const choice = listOf(body.choices)[0]
  return isFields(choice) && isFields(choice.usage) ? choice.usage : undefined
}

function inputBuckets(total: number, usage: Fields) {
  const details = fieldsOf(usage.prompt_tokens_details ?? usage.input_tokens_details ?? usage.input_token_details)
  // How much of the cached input was audio or image, which the other counts include.
  const cached = fieldsOf(details.cached_tokens_details ?? usage.cached_tokens_details)
  const cachedAudioStated = countOf(cached.audio_tokens) ?? 0
  const cachedImageStated = countOf(cached.image_tokens) ?? countOf(cached.cached_image_tokens) ?? 0
  const read =
    countOf(details.cached_tokens) ?? countOf(usage.prompt_cache_hit_tokens) ?? countOf(usage.cached_tokens) ?? 0
  const written = countOf(details.cache_write_tokens) ?? countOf(details.cache_creation_input_tokens) ?? 0
  // Cached input above the total means that the vendor counts it separately.
  const all = read + written > total ? total + read + written : total
  const { rest: cachedInput, ...cachedMedia } = split(Math.min(read, all), [
    ['cachedAudio', cachedAudioStated],
    ['cachedImage', cachedImageStated],
  ])
  const writtenLong = countOf(fieldsOf(details.cache_write_tokens_details).ttl_12h_tokens) ?? 0
  const { cacheWriteLong, cacheWrite, audioInput, imageInput, rest } = split(Math.max(0, all - read), [
    ['cacheWriteLong', Math.min(writtenLong, written)],
    ['cacheWrite', Math.max(0, written - writtenLong)],
    ['audioInput', less(countOf(details.audio_tokens), cachedAudioStated)],
    ['imageInput', less(countOf(details.image_tokens), cachedImageStated)],
  ])
  return { input: rest, cachedInput, ...cachedMedia, cacheWrite, cacheWriteLong, audioInput, imageInput }
}

/**
 * OpenAI counts reasoning as output; xAI and Google count it separately, which only the total shows. `beside` is the total
 * minus input and output, undefined without a total.
 */
function outputBuckets(
  { output, beside }: { output: number; beside: number | undefined },
  usage: Fields,
  body: Fields,
) {
  const stated = usage.completion_tokens_details ?? usage.output_tokens_details ?? usage.output_token_details
  const details = fieldsOf(stated)
  const reasoningStated = countOf(details.reasoning_tokens) ?? 0
  const hidden = (beside ?? 0) > 0 && (reasoningStated === beside || !isFields(stated))
  // Reasoning above the output was counted separately if the total includes it: then the output is too low.
  const excess = reasoningStated > output ? Math.min(beside ?? reasoningStated, reasoningStated) : 0
  const separate = hidden ? (beside ?? 0) : Math.max(0, excess)
  const { reasoning, audioOutput, imageOutput, rest } = split(output + separate, [
    ['reasoning', Math.max(reasoningStated, separate)],
    ['audioOutput', countOf(details.audio_tokens)],
    ['imageOutput', countOf(details.image_tokens) ?? (isImages(body) ? output : 0)],
  ])
  return { output: rest, reasoning, audioOutput, imageOutput }
}

/** An image call's output consists of images, even when its details do not say so. */
const isImages = (body: Fields) =>
  Array.isArray(body.data) || (typeof body.type === 'string' && body.type.startsWith('image_'))

const less = (count: number | undefined, part: number) => (count === undefined ? undefined : Math.max(0, count - part))
