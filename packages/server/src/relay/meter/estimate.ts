import { NO_USAGE, type Usage } from '@tollgate/providers'
import type { Call } from '../surfaces/call.ts'
import { fieldsOf } from '../surfaces/fields.ts'
import { tokensOfForm, tokensOfImage } from './image-output.ts'
import { isResearch, maxToolUse } from './max-tool-use.ts'
import { AUDIO_TOKENS, type EstimateKind, mediaTokens } from './media-tokens.ts'
import { promptTokens } from './prompt-tokens.ts'
import { rankedUnits } from './ranked-units.ts'
import { tokensPerImage } from './sold-by-image.ts'
import { charactersOf } from './sold-units.ts'
import { likelyTokensOf, mostTokensOf } from './text-tokens.ts'

/** Our own count of the input, charged when the vendor reports nothing. */
export const countInput = (call: Call): Usage => inputOf(call, 'likely')

/** An upper estimate of the whole call, for the hold. `outputTokens` is the default when the client set no limit. */
export const estimateCall = (call: Call, outputTokens: number): Usage => {
  const { operation, body, model } = call
  const input = inputOf(call, 'most')
  if (operation.name.startsWith('images/')) return { ...input, imageOutput: tokensOfImage(call) * copiesOf(call) }
  if (isAudio(operation))
    return { ...input, output: Math.ceil(call.audioSeconds * TRANSCRIPT_TOKENS) + TRANSCRIPT_TOKENS_MIN }
  const {
    max_tokens,
    max_completion_tokens,
    max_output_tokens,
    generationConfig: config,
    generation_config: same,
  } = body
  // Which of several limits a vendor uses is unknown here.
  const ofGoogle = [config, same].flatMap((own) => [own?.maxOutputTokens, own?.max_output_tokens])
  const limits = [max_tokens, max_completion_tokens, max_output_tokens, ...ofGoogle]
  const output = operation.writes ? (largest(limits) ?? unlimited(call, outputTokens)) * copiesOf(call) : 0
  if (operation.name === 'audio/speech')
    return { ...input, audioOutput: SPEECH_TOKENS_PER_BYTE * Buffer.byteLength(String(body.input ?? '')) }
  if (operation.name === 'rerank') return { ...input, fileSearches: rankedUnits(call, 'most') }
  if (!operation.writes) return { ...input, output }
  const searches = maxToolUse(call)
  const found = (searches.webSearches + searches.fileSearches) * (isResearch(model) ? RESEARCHED_TOKENS : FOUND_TOKENS)
  const imageOutput = IMAGE_MODELS.test(model) ? GENERATED_IMAGE_TOKENS * copiesOf(call) : 0
  return { ...input, ...searches, input: input.input + found, output, imageOutput }
}

/**
 * Reasoning models write several times as much. A stream's hold grows with it; that of a plain answer must be sufficient from the
 * start.
 */
const THINKS =
  /(?:^|[/.])(?:o\d|gpt-[5-9]|grok-(?:3-mini|4)|magistral|qwq|deepseek-r|gemini-(?:2\.5|[3-9]))|thinking|reason|research/
const THOUGHT_TIMES = 6

const unlimited = ({ model, stream }: Call, outputTokens: number) =>
  !stream && THINKS.test(model) ? outputTokens * THOUGHT_TIMES : outputTokens

/** Transcript tokens per second of fast speech, and the minimum per recording. */
const TRANSCRIPT_TOKENS = 5
const TRANSCRIPT_TOKENS_MIN = 20

/** Slow speech has ten letters per second, for which there are 21 audio tokens. */
const SPEECH_TOKENS_PER_BYTE = 2

/** The number of requested choices. */
export const copiesOf = ({ body: { n, best_of, generationConfig, generation_config } }: Pick<Call, 'body'>) => {
  const ofGoogle = [generationConfig, generation_config].flatMap((own) => [own?.candidateCount, own?.candidate_count])
  return largest([n, best_of, ...ofGoogle]) ?? 1
}

/** Tokens that a search adds to the prompt, and those for a model that rereads all results repeatedly. */
const FOUND_TOKENS = 6000
const RESEARCHED_TOKENS = 20_000

/** Chat models that generate images, and the tokens of their largest image. */
const IMAGE_MODELS = /gemini.*image/
const GENERATED_IMAGE_TOKENS = 2520

function inputOf(call: Call, judged: EstimateKind): Usage {
  const { operation, body, form } = call
  const measure = judged === 'most' ? mostTokensOf : likelyTokensOf
  if (operation.name === 'audio/speech') {
    const [text, manner] = [String(body.input ?? ''), String(body.instructions ?? '')]
    return { ...NO_USAGE, input: measure(text) + measure(manner), characters: charactersOf(text) }
  }
  if (TRANSLATES.test(call.model)) return { ...NO_USAGE, characters: charactersToTranslate(body) }
  // Models billed per image charge nothing for the prompt.
  if (operation.name.startsWith('images/') && tokensPerImage(call) !== undefined) return NO_USAGE
  if (form === undefined) return withFiles(call, { ...NO_USAGE, ...promptTokens(call, judged) }, judged)
  const input = typeof body.prompt === 'string' ? measure(body.prompt) : 0
  if (isAudio(operation)) return { ...NO_USAGE, input, audioInput: audioTokens(call) }
  return { ...NO_USAGE, input, imageInput: tokensOfForm(call) }
}

/** Uploaded files, by their type and size. */
function withFiles({ stored, model }: Call, usage: Usage, judged: EstimateKind): Usage {
  for (const file of stored?.files ?? []) {
    const media = { ...file, pages: undefined, seconds: undefined, textTokens: undefined, google: true, model }
    const [isAudioInput, tokens] = mediaTokens(media, judged)
    usage[isAudioInput ? 'audioInput' : 'input'] += tokens
  }
  return usage
}

/** DeepL translates the last message and bills its characters. */
const TRANSLATES = /^deepl(?:-|$)/

const charactersToTranslate = ({ messages, input, contents }: Call['body']) => {
  const prompt = messages ?? input ?? contents
  return charactersIn(Array.isArray(prompt) ? prompt.at(-1) : prompt)
}

const charactersIn = (value: unknown): number => {
  if (typeof value === 'string') return charactersOf(value)
  const members = Array.isArray(value)
    ? value
    : Object.entries(fieldsOf(value)).flatMap(([name, member]) => (NO_TEXT.has(name) ? [] : [member]))
  return members.reduce<number>((sum, member) => sum + charactersIn(member), 0)
}
const NO_TEXT: ReadonlySet<string> = new Set(['role', 'type'])

/** Operations whose form contains audio rather than images. */
const isAudio = ({ name }: Call['operation']) => name.startsWith('audio/trans')

/** An audio token is a tenth of a second. */
export const audioTokens = ({ audioSeconds }: Call) => Math.ceil(audioSeconds * AUDIO_TOKENS.openai)

function largest(numbers: readonly (number | null | undefined)[]): number | undefined {
  const given = numbers.filter((number) => typeof number === 'number')
  return given.length === 0 ? undefined : Math.max(...given)
}
