import { asksToThink, effortOfBudget, REASONING } from '../budget-effort.ts'
import type { ChatRequest, ChatTool } from '../chat.ts'
import { defined } from '../json.ts'
import type { NestedMember } from '../nested-members.ts'
import { boundedUser } from '../user-id.ts'
import { type MessageForm, toChatMessages } from './chat-messages.ts'
import { knownEffort } from './known-effort.ts'
import { leastEffort } from './least-effort.ts'
import { type Quirks, withQuirks } from './quirks.ts'
import { samplingOf } from './sampling.ts'
import { fitsStrict, strictCarried } from './strict-schema.ts'

/** Extensions that a vendor of OpenAI's dialect supports, for translated requests. */
export interface ChatForm extends MessageForm {
  /** OpenAI's parameters that are sent even when the caller wrote them in another dialect. */
  members?: readonly string[]
}

/** Parameters of OpenAI's own chat; `metadata` requires stored completions. */
export const OPENAI_MEMBERS = [
  'service_tier',
  'verbosity',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
] as const

/** The members of `extra` to send: all of them, from callers who use this dialect. */
const chatMembers = ({ foreign, extra }: ChatRequest, { members = [] }: ChatForm = {}) =>
  Object.keys(extra).filter((name) => name !== 'stream_options' && (foreign === undefined || members.includes(name)))

/** All members that a vendor of this dialect gets. */
export const chatCarries = (request: ChatRequest, form: ChatForm = {}, { without = [] }: Quirks = {}): string[] => {
  const refused: ReadonlySet<string> = new Set(without)
  const nested: NestedMember[] = ['messages.name', 'messages.content.detail', 'messages.content.filename']
  const members = chatMembers(request, form).filter((name) => !refused.has(name))
  return [...members, ...nested, ...strictCarried(request)]
}

/** A budget that no member of this dialect has the place for is named as dropped, and so is an effort of a model without reasoning. */
export const lostEffort = (request: ChatRequest): typeof REASONING | [] =>
  asksToThink(request) && effortOf(request) === undefined ? REASONING : []

/** A request in the dialect of chat completions. */
export function toChatBody(request: ChatRequest, form: ChatForm = {}, quirks: Quirks = {}): Record<string, unknown> {
  const { stream, tools = [], responseFormat, toolChoice, extra } = request
  const maxTokens = RENAMED.test(request.model) ? 'max_completion_tokens' : 'max_tokens'
  const sampling = samplingOf(request)
  const body = {
    ...Object.fromEntries(chatMembers(request, form).map((name) => [name, extra[name]])),
    ...toAudio(request.audio),
    ...defined({
      model: request.model,
      messages: toChatMessages(request, form),
      [maxTokens]: request.maxTokens,
      temperature: sampling.temperature,
      top_p: sampling.topP,
      top_k: request.topK,
      stop: request.stop,
      n: request.n,
      seed: request.seed,
      frequency_penalty: sampling.frequencyPenalty,
      presence_penalty: sampling.presencePenalty,
      logprobs: request.logprobs,
      top_logprobs: request.topLogprobs,
      user: boundedUser(request.user),
      tools: tools.length === 0 ? undefined : tools.map(toTool),
      tool_choice: tools.length === 0 ? undefined : toToolChoice(toolChoice),
      parallel_tool_calls: tools.length === 0 ? undefined : request.parallelToolCalls,
      response_format: toResponseFormat(responseFormat),
      reasoning_effort: effortOf(request),
      stream: stream ? true : undefined,
      stream_options: stream ? { include_usage: true } : undefined,
    }),
  }
  return withQuirks(body, quirks)
}

/** OpenAI's reasoning models accept the limit only under its new name; everyone else's only under the old one. */
const RENAMED = /(^|\/)(o\d|gpt-[5-9]|codex)/

const toTool = ({ name, description, parameters, strict }: ChatTool) => ({
  type: 'function',
  function: defined({ name, description, parameters, strict: strictFor(parameters, strict) }),
})

const strictFor = (schema: unknown, strict: boolean | undefined) => (strict && !fitsStrict(schema) ? undefined : strict)

const toToolChoice = (choice: ChatRequest['toolChoice']) =>
  typeof choice === 'object' ? { type: 'function', function: choice } : choice

function toResponseFormat(format: ChatRequest['responseFormat']) {
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json') return { type: 'json_object' }
  const { name, schema, strict } = format
  return { type: 'json_schema', json_schema: defined({ name, schema, strict: strictFor(schema, strict) }) }
}

/** Every speech vendor supports PCM, and streams support nothing else. */
const toAudio = (audio: ChatRequest['audio']) =>
  audio && { modalities: ['text', 'audio'], audio: { voice: audio.voice ?? 'alloy', format: audio.format ?? 'pcm16' } }

/** Reasoning models; others refuse an effort. */
const REASONING_MODELS = /(^|\/)(o\d|gpt-[5-9]|gpt-oss|grok-3-mini|magistral|qwen3|deepseek-r)/

/** Agents ask every model for an effort, and these cannot reason: they refuse any. */
const PLAIN_MODELS = /(^|\/)(gpt-[34]|gpt-5-chat|chatgpt|llama|meta-llama|codellama|mixtral)/

/**
 * An effort is passed on in the nearest word that the model knows. A token budget comes from another dialect: it becomes an effort only for models known
 * to reason.
 */
function effortOf({ model, reasoning }: ChatRequest) {
  if (PLAIN_MODELS.test(model)) return undefined
  if (reasoning?.effort === 'none') return leastEffort(model)
  if (reasoning?.effort !== undefined) return knownEffort(model, reasoning.effort)
  if (reasoning?.budgetTokens === undefined || !REASONING_MODELS.test(model)) return undefined
  return knownEffort(model, effortOfBudget(reasoning.budgetTokens))
}
