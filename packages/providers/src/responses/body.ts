import { effortOfBudget } from '../budget-effort.ts'
import type {
  AssistantContent,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ImageContent,
  TextContent,
  UserContent,
} from '../chat.ts'
import { plainText, toolCallsOf } from '../content.ts'
import { customInput, customNames } from '../custom-tool.ts'
import { urlOf } from '../data-url.ts'
import { defined } from '../json.ts'
import { SEARCH_SETTINGS, WEB_SEARCH } from '../members.ts'
import type { NestedMember } from '../nested-members.ts'
import { knownEffort } from '../openai/known-effort.ts'
import { leastEffort } from '../openai/least-effort.ts'
import { samplingOf, thinksByDefault } from '../openai/sampling.ts'
import { fitsStrict, strictCarried } from '../openai/strict-schema.ts'
import { signatureFor } from '../signature.ts'
import { asksFor, refusal, refuseUnsupported } from '../unsupported.ts'
import { boundedUser } from '../user-id.ts'
import { toCustomTool } from './response.ts'
import { toSearchTool } from './search-tool.ts'
import { RESPONSES_UNSUPPORTED } from './unsupported.ts'

/** Models that OpenAI offers through Responses alone. */
export const isResponsesOnly = (model: string) =>
  /(^|\/)(gpt-[\d.]+-(codex|pro)|codex-|o\d+-pro|o\d.*-deep-research|computer-use)/.test(model)

/** From 5.4 on OpenAI's chats refuse tools together with an effort, the model's own too; Responses accept both. */
export const needsResponses = (request: ChatRequest) => {
  const { model, tools = [], reasoning } = request
  if (!/(^|\/)gpt-(5\.[4-9]|[6-9])/.test(model) || tools.length === 0) return false
  if (reasoning === undefined ? !thinksByDefault(model) : reasoning.effort === 'none') return false
  return !RESPONSES_UNSUPPORTED.refuse.some((parameter) => asksFor(parameter, request))
}

/** All members that Responses get. */
export const responsesCarries = (request: ChatRequest): string[] => [...MEMBERS, ...NESTED, ...strictCarried(request)]

const NESTED: NestedMember[] = ['messages.content.detail', 'messages.content.filename']

/** Members of the caller's body that exist in Responses, possibly under another name. */
const MEMBERS = [
  'service_tier',
  'metadata',
  'verbosity',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'safety_identifier',
  'max_tool_calls',
  'truncation',
  WEB_SEARCH,
  SEARCH_SETTINGS.contextSize,
  SEARCH_SETTINGS.location,
  SEARCH_SETTINGS.allowedDomains,
] as const

/** A chat in the dialect of Responses; nothing is stored there. */
export function toResponsesBody(request: ChatRequest) {
  refuseUnsupported('Responses', RESPONSES_UNSUPPORTED, request)
  const { toolChoice, extra, webSearch } = request
  const { temperature, topP } = samplingOf(request)
  const tools = [...(request.tools ?? []).map(toTool), ...(webSearch === undefined ? [] : [toSearchTool(webSearch)])]
  const custom = customNames(request)
  const calls = customCalls(request, custom)
  return defined({
    model: request.model,
    input: request.messages.flatMap((message) => toItems(message, calls)),
    stream: request.stream ? true : undefined,
    store: false,
    max_output_tokens: request.maxTokens,
    temperature,
    top_p: topP,
    top_logprobs: request.logprobs ? request.topLogprobs : undefined,
    include: toInclude(request),
    user: boundedUser(request.user),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice:
      typeof toolChoice === 'object'
        ? { type: custom.has(toolChoice.name) ? 'custom' : 'function', name: toolChoice.name }
        : toolChoice,
    parallel_tool_calls: tools.length === 0 ? undefined : request.parallelToolCalls,
    reasoning: toReasoning(request),
    text: toText(request),
    service_tier: extra.service_tier,
    metadata: extra.metadata,
    prompt_cache_key: extra.prompt_cache_key,
    prompt_cache_retention: extra.prompt_cache_retention,
    prompt_cache_options: extra.prompt_cache_options,
    safety_identifier: extra.safety_identifier,
    max_tool_calls: extra.max_tool_calls,
    truncation: extra.truncation,
  })
}

const toTool = ({ name, description, parameters, strict = false, custom }: ChatTool) =>
  custom === undefined
    ? defined({ type: 'function', name, description, parameters, strict: strict && fitsStrict(parameters) })
    : toCustomTool(name, custom)

/** The ids of custom tool calls: their results are items of another type. */
const customCalls = ({ messages }: ChatRequest, names: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ content }) => toolCallsOf(content).flatMap(({ id, name }) => (names.has(name) ? [id] : []))),
  )

/** Nothing is stored there, so encrypted reasoning is returned with the answer and sent back in the next turn. */
function toInclude({ model, logprobs }: ChatRequest) {
  const include = [
    ...(logprobs ? ['message.output_text.logprobs'] : []),
    ...(model.includes('computer-use') ? [] : ['reasoning.encrypted_content']),
  ]
  return include.length === 0 ? undefined : include
}

function toReasoning({ model, reasoning }: ChatRequest) {
  if (reasoning === undefined) return undefined
  const { effort, budgetTokens } = reasoning
  const requested = effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens))
  const known = requested === 'none' ? leastEffort(model) : requested && knownEffort(model, requested)
  return defined({ effort: known, summary: 'auto' })
}

function toText({ responseFormat, extra }: ChatRequest) {
  const text = defined({ format: toFormat(responseFormat), verbosity: extra.verbosity ?? undefined })
  return Object.keys(text).length === 0 ? undefined : text
}

function toFormat(format: ChatRequest['responseFormat']) {
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json') return { type: 'json_object' }
  const { name, schema, strict = false } = format
  return { type: 'json_schema', name, schema, strict: strict && fitsStrict(schema) }
}

function toItems(message: ChatMessage, custom: ReadonlySet<string>): object[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ role: message.role, content: plainText(message.content) }]
    case 'user':
      return [{ role: 'user', content: message.content.map(toPart) }]
    case 'assistant':
      return withoutLastThoughts(message.content).flatMap((part) => toInputItems(part, custom))
    case 'tool': {
      const type = custom.has(message.callId) ? 'custom_tool_call_output' : 'function_call_output'
      return [{ type, call_id: message.callId, output: toOutput(message.content) }]
    }
  }
}

/** Reasoning must be followed by its result. */
const withoutLastThoughts = (content: readonly AssistantContent[]) =>
  content.slice(0, content.findLastIndex(({ type }) => type !== 'reasoning') + 1)

/** Only reasoning encrypted by OpenAI's own models can be sent back. */
function toInputItems(part: AssistantContent, custom: ReadonlySet<string>): object[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ role: 'assistant', content: [{ type: 'output_text', text: part.text }] }]
    case 'refusal':
      return [{ role: 'assistant', content: [{ type: 'refusal', refusal: part.text }] }]
    case 'tool-call':
      if (custom.has(part.id)) {
        const input = customInput(part.arguments)
        return [{ type: 'custom_tool_call', call_id: part.id, name: part.name, input }]
      }
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments || '{}' }]
    case 'reasoning': {
      const encrypted_content = signatureFor('openai', part.signature)
      if (encrypted_content === undefined) return []
      const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }]
      return [{ type: 'reasoning', summary, encrypted_content }]
    }
  }
}

const toOutput = (content: readonly (TextContent | ImageContent)[]) =>
  content.every(({ type }) => type === 'text') ? plainText(content) : content.map(toPart)

function toPart(part: UserContent): object {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return { type: 'input_image', image_url: urlOf(part.source), detail: part.detail ?? 'auto' }
    case 'file':
      if ('id' in part.source) return { type: 'input_file', file_id: part.source.id }
      if ('url' in part.source) return { type: 'input_file', file_url: part.source.url }
      return { type: 'input_file', file_data: urlOf(part.source), filename: part.name ?? 'file' }
    case 'audio':
      throw refusal('Responses', 'input_audio')
  }
}
