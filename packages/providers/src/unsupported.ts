import type { ChatRequest, UserContent } from './chat.ts'
import { failureOf, VendorError } from './failure.ts'

/**
 * Parameters that a vendor does not support. One that changes the answer is refused with a 400 that names it; one that
 * OpenAI's clients send by default, or that is only a hint, is dropped. `docs/providers.md` is generated from this.
 */
export interface Unsupported {
  refuse: readonly Parameter[]
  drop: readonly Parameter[]
}

/** Settings of a language model, which mean nothing to a bot, a library or a translator. */
export const MODEL_SETTINGS = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'top_logprobs',
  'user',
  'parallel_tool_calls',
  'reasoning_effort',
] as const satisfies readonly Parameter[]

/** Throws when the request has a parameter that is refused for this vendor. */
export function refuseUnsupported(vendor: string, { refuse }: Unsupported, request: ChatRequest): void {
  const parameter = refuse.find((candidate) => asksFor(candidate, request))
  if (parameter !== undefined) throw refusal(vendor, parameter)
}

/** Whether the request sets the parameter. */
export const asksFor = (parameter: Parameter, request: ChatRequest) => ASKED[parameter](request)

/** An error that names the parameter, with a message of its own if needed. */
export const refusal = (vendor: string, parameter: string, message = `${vendor} does not support '${parameter}'`) =>
  new VendorError(
    failureOf('client', message, { code: 'unsupported_parameter', param: parameter.split('.')[0] ?? parameter }),
  )

/** By OpenAI's names, which the caller sees in errors. A default value counts as not set. */
const ASKED = {
  temperature: ({ temperature }) => temperature !== undefined,
  top_p: ({ topP }) => topP !== undefined,
  top_k: ({ topK }) => topK !== undefined,
  max_tokens: ({ maxTokens }) => maxTokens !== undefined,
  stop: ({ stop = [] }) => stop.length > 0,
  n: ({ n = 1 }) => n !== 1,
  seed: ({ seed }) => seed !== undefined,
  frequency_penalty: ({ frequencyPenalty = 0 }) => frequencyPenalty !== 0,
  presence_penalty: ({ presencePenalty = 0 }) => presencePenalty !== 0,
  logprobs: ({ logprobs = false }) => logprobs,
  top_logprobs: ({ topLogprobs = 0 }) => topLogprobs !== 0,
  user: ({ user }) => user !== undefined,
  tools: ({ tools = [] }) => tools.length > 0,
  // 'none' is always possible: the tools are left out.
  tool_choice: ({ toolChoice }) => toolChoice === 'required' || typeof toolChoice === 'object',
  // The only tool there is can be named.
  'tool_choice.required': ({ tools = [], toolChoice }) => toolChoice === 'required' && tools.length !== 1,
  parallel_tool_calls: ({ parallelToolCalls = true }) => !parallelToolCalls,
  response_format: ({ responseFormat }) => responseFormat !== undefined && responseFormat.type !== 'text',
  'response_format.json_schema': ({ responseFormat }) => responseFormat?.type === 'json_schema',
  reasoning_effort: ({ reasoning }) => reasoning?.effort !== undefined || reasoning?.budgetTokens !== undefined,
  audio: ({ audio }) => audio !== undefined,
  image_url: (request) => hasContent(request, 'image'),
  input_audio: (request) => hasContent(request, 'audio'),
  file: (request) => hasContent(request, 'file'),
  'messages.tool.image_url': ({ messages }) =>
    messages.some(({ role, content }) => role === 'tool' && content.some(({ type }) => type === 'image')),
} as const satisfies Record<string, (request: ChatRequest) => boolean>

export type Parameter = keyof typeof ASKED

const hasContent = ({ messages }: ChatRequest, type: UserContent['type']) =>
  messages.some(({ content }) => content.some((part) => part.type === type))
