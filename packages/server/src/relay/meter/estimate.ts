import { NO_USAGE, type Usage } from '@tollgate/providers'
import type { Call } from '../surfaces/call.ts'

/** An image costs about this many tokens with most vendors; the report of the vendor replaces it. */
export const IMAGE_TOKENS = 1000

/** What a text is likely to cost in tokens: four letters of an alphabet, or one character of most other scripts. */
const tokensOfText = (text: string) => {
  const sample = text.length > 400 ? text.slice(0, 400) : text
  let wide = 0
  for (let at = 0; at < sample.length; at++) if (sample.charCodeAt(at) > 0x2e7f) wide++
  const share = sample.length === 0 ? 0 : wide / sample.length
  return Math.ceil(text.length * (share + (1 - share) / 4))
}

/** The members in which the dialects carry what a model reads. */
const PROMPT_FIELDS = [
  ...['messages', 'prompt', 'input', 'instructions', 'query', 'documents', 'tools', 'system'],
  ...['contents', 'systemInstruction', 'content', 'requests', 'generateContentRequest'],
]

/** The tokens that go in, by walking over what the client sent. Cheap: it adds lengths and copies nothing. */
export const estimateInput = ({ operation, model, body, form }: Call): number => {
  if (operation.name === 'audio/speech' && isPaidByLetter(model)) return Math.ceil(String(body.input ?? '').length / 4)
  if (form !== undefined) {
    const prompt = typeof body.prompt === 'string' ? tokensOfText(body.prompt) : 0
    return isAudio(operation) ? prompt : prompt + IMAGE_TOKENS
  }
  let sum = 0
  for (const name of PROMPT_FIELDS) if (name in body) sum += tokensIn(body[name], 0)
  return sum
}

/** What comes in such a form is heard, not seen. */
const isAudio = ({ name }: Call['operation']) => name.startsWith('audio/trans')

/** In any script. */
export const isPaidByLetter = (model: string) => /^tts-1/.test(model)

/** A token of sound is a tenth of a second. */
export const audioTokens = ({ audioSeconds }: Call) => Math.ceil(audioSeconds * 10)

/** An upper guess of the whole call, for the hold. `outputTokens` is used when the client set no limit. */
export const estimateCall = (call: Call, outputTokens: number): Usage => {
  const { n, best_of, max_tokens, max_completion_tokens, max_output_tokens, generationConfig } = call.body
  const copies = largest([n, best_of, generationConfig?.candidateCount]) ?? 1
  if (call.operation.name.startsWith('images/'))
    return { ...NO_USAGE, input: estimateInput(call), imageOutput: IMAGE_TOKENS * copies }
  if (isAudio(call.operation)) return { ...NO_USAGE, input: estimateInput(call), audioInput: audioTokens(call) }
  // Which of several limits a vendor heeds is not known here.
  const limits = [max_tokens, max_completion_tokens, max_output_tokens, generationConfig?.maxOutputTokens]
  const output = call.operation.writes ? (largest(limits) ?? outputTokens) * copies : 0
  return { ...NO_USAGE, input: estimateInput(call), output }
}

function largest(numbers: readonly (number | null | undefined)[]): number | undefined {
  const given = numbers.filter((number) => typeof number === 'number')
  return given.length === 0 ? undefined : Math.max(...given)
}

const DEPTH_MAX = 32

function tokensIn(value: unknown, depth: number): number {
  if (typeof value === 'string') return tokensOfText(value)
  if (typeof value === 'number') return 1
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + tokensIn(item, depth + 1), 0)
  const type = 'type' in value ? value.type : undefined
  if (typeof type === 'string' && /image|audio|file|document/.test(type)) return IMAGE_TOKENS
  let sum = 'role' in value ? 3 : 0
  for (const name in value) {
    if (name !== 'role' && name !== 'type') sum += tokensIn(value[name as keyof typeof value], depth + 1)
  }
  return sum
}
