import type { ChatRequest, ChatTool, WebSearch } from '../chat.ts'
import { defined } from '../json.ts'
import { SEARCH_SETTINGS, WEB_SEARCH } from '../members.ts'
import type { NestedMember } from '../nested-members.ts'
import { offeredTools } from '../required-tool.ts'
import { badRequest } from '../strict.ts'
import { boundedUser } from '../user-id.ts'
import { withUserLast } from '../user-last.ts'
import { cacheControl, textBlock, toTurns } from './messages.ts'
import { type ModelRules, rulesOf } from './model.ts'
import { argumentsSchema, strictSchema } from './schema.ts'
import { toThinking } from './thinking.ts'

const USER_MAX = 256

/** A request in Anthropic's dialect, without `model` and `stream`: some hosts expect them in the URL. */
export function toMessagesBody(request: ChatRequest) {
  const rules = rulesOf(request.model)
  const maxTokens = request.maxTokens ?? rules.maxTokens
  const { thinking, effort } = toThinking(request, rules, maxTokens)
  const format = toFormat(request.responseFormat)
  const system = toSystem(request)
  const turns = toTurns(rules.prefill ? request.messages : withUserLast(request.messages))
  if (turns.length === 0) throw noMessages()
  return defined({
    max_tokens: maxTokens,
    system: system.length === 0 ? undefined : system,
    messages: turns,
    ...toSampling(request, { rules, thinking }),
    stop_sequences: toStop(request.stop),
    metadata: request.user === undefined ? undefined : { user_id: boundedUser(request.user, USER_MAX) },
    ...toTools(request, rules),
    thinking,
    output_config: effort === undefined && format === undefined ? undefined : defined({ effort, format }),
  })
}

/** Claude has no JSON mode without a schema, so the instruction asks for it. */
export const ONLY_JSON = 'Answer with one valid JSON object and nothing else.'

/** Claude refuses a conversation without messages, wherever it is hosted. */
export const noMessages = () =>
  badRequest('messages', "instructions alone are no conversation: add a message of the role 'user'")

/** All system instructions, wherever they were: Anthropic expects them separately from the conversation. */
function toSystem({ messages, responseFormat }: ChatRequest): object[] {
  const blocks = messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? message.content.flatMap(textBlock) : [],
  )
  return responseFormat?.type === 'json' ? [...blocks, { type: 'text', text: ONLY_JSON }] : blocks
}

function toFormat(format: ChatRequest['responseFormat']) {
  return format?.type === 'json_schema' ? { type: 'json_schema', schema: strictSchema(format.schema) } : undefined
}

/** OpenAI's scale goes to 2, Anthropic's to 1. None of these combine with a thinking budget. */
export function toSampling(
  { temperature, topP, topK }: ChatRequest,
  { rules, thinking }: { rules: ModelRules; thinking: { type: string } | undefined },
) {
  if (!rules.sampling || thinking?.type === 'enabled') return {}
  return {
    temperature: temperature === undefined ? undefined : Math.min(1, Math.max(0, temperature)),
    top_p: temperature === undefined || rules.samplingBoth ? topP : undefined,
    top_k: topK,
  }
}

/** Stop sequences of white space only are an error. */
export function toStop(stop: string[] = []) {
  const sequences = stop.filter((sequence) => sequence.trim() !== '')
  return sequences.length === 0 ? undefined : sequences
}

/** Claude can search the web, unless a caller's tool has the same name as its search tool. */
const claudeMembers = ({ webSearch, tools = [] }: ChatRequest): readonly string[] =>
  webSearch === undefined || tools.some(({ name }) => name === WEB_SEARCH) ? [] : SEARCH

/** All members that Claude gets. */
export const claudeCarries = (request: ChatRequest): string[] => [
  ...claudeMembers(request),
  ...(['messages.is_error', 'messages.content.filename'] satisfies NestedMember[]),
  ...(rulesOf(request.model).strict ? ['tools.strict'] : []),
]

const { location, allowedDomains, blockedDomains, maxUses } = SEARCH_SETTINGS
const SEARCH = [WEB_SEARCH, location, allowedDomains, blockedDomains, maxUses] as const

const toSearchTool = (search: WebSearch) =>
  defined({
    type: 'web_search_20250305',
    name: WEB_SEARCH,
    user_location: search.location === undefined ? undefined : { type: 'approximate', ...search.location },
    allowed_domains: search.allowedDomains,
    blocked_domains: search.blockedDomains,
    max_uses: search.maxUses,
  })

function toTools(request: ChatRequest, rules: ModelRules) {
  const { toolChoice, parallelToolCalls, webSearch } = request
  const search = webSearch !== undefined && claudeMembers(request).length > 0 ? [toSearchTool(webSearch)] : []
  const tools = [...claudeTools(request, rules).map((tool) => toTool(tool, rules)), ...search]
  if (tools.length === 0) return {}
  const alone = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {}
  const choice = toToolChoice(rules.forcedTools || !forcesTool(toolChoice) ? toolChoice : 'auto')
  return {
    tools,
    tool_choice:
      choice?.type === 'none' || (choice === undefined && parallelToolCalls !== false)
        ? choice
        : { type: 'auto', ...choice, ...alone },
  }
}

/** A model that cannot be told to call a tool gets it alone. */
export const claudeTools = (request: ChatRequest, rules: ModelRules): readonly ChatTool[] =>
  rules.forcedTools || !forcesTool(request.toolChoice) ? (request.tools ?? []) : offeredTools(request)

export const forcesTool = (choice: ChatRequest['toolChoice']) => choice === 'required' || typeof choice === 'object'

const toTool = ({ name, description, parameters, strict, cache }: ChatTool, rules: ModelRules) =>
  defined({
    name,
    description,
    input_schema: strict && rules.strict ? strictSchema(argumentsSchema(parameters)) : argumentsSchema(parameters),
    strict: strict && rules.strict ? true : undefined,
    ...cacheControl(cache),
  })

function toToolChoice(choice: ChatRequest['toolChoice']) {
  if (choice === undefined) return undefined
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : choice }
}
