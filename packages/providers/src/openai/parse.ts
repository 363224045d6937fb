import type { ChatRequest, ChatTool, WebSearch } from '../chat.ts'
import { customTool } from '../custom-tool.ts'
import type { ParseHints } from '../dialect.ts'
import { defined, fieldsOf, filled, isFields, textOf } from '../json.ts'
import { locationOf } from '../search-location.ts'
import { parseStrict } from '../strict.ts'
import { withFilesAfterResults } from '../tool-files.ts'
import { toolParameters } from '../tool-parameters.ts'
import { unreadMembers } from '../unread-members.ts'
import { asToolMessages, hasLegacyFunctions } from './legacy-functions.ts'
import { toMessage } from './parse-messages.ts'
import { toReasoning } from './parse-reasoning.ts'
import { ChatCompletionRequest } from './request-schema.ts'

/** A chat completion request in the internal format. */
export function parseChatCompletion(body: unknown, hints: ParseHints = {}): ChatRequest {
  const request = parseStrict(ChatCompletionRequest, body)
  const {
    model,
    messages,
    stream,
    max_tokens,
    max_completion_tokens,
    temperature,
    top_p,
    top_k,
    stop,
    n,
    seed,
    frequency_penalty,
    presence_penalty,
    logprobs,
    top_logprobs,
    user,
    tools,
    tool_choice,
    functions,
    function_call,
    parallel_tool_calls,
    response_format,
    reasoning_effort,
    reasoning: openRouters,
    modalities,
    audio,
    ...others
  } = request
  const { reasoning, rest: extra } = toReasoning({ reasoning_effort, reasoning: openRouters }, others)
  return defined({
    model: hints.model ?? model,
    stream: hints.stream ?? stream ?? false,
    messages: withFilesAfterResults(
      asToolMessages(messages).map((message, index) => toMessage(message, `messages[${index}]`)),
    ),
    maxTokens: max_completion_tokens ?? max_tokens,
    temperature,
    topP: top_p,
    topK: top_k,
    stop: typeof stop === 'string' ? [stop] : filled(stop),
    n,
    seed,
    frequencyPenalty: frequency_penalty,
    presencePenalty: presence_penalty,
    logprobs,
    topLogprobs: top_logprobs,
    user,
    ...toTools({ tools, tool_choice, functions, function_call }),
    legacyFunctions: hasLegacyFunctions(request) || undefined,
    parallelToolCalls: parallel_tool_calls,
    responseFormat: toFormat(response_format),
    reasoning,
    audio: modalities?.includes('audio') ? defined({ voice: textOf(audio?.voice), format: audio?.format }) : undefined,
    webSearch: toWebSearch(extra.web_search_options),
    unread: toUnread(request),
    extra,
  })
}

/** Members that nothing reads, and modalities that are neither text nor audio. */
function toUnread(request: ChatCompletionRequest): string[] | undefined {
  const members = unreadMembers(ChatCompletionRequest, request, { echoes: ECHOES })
  const isOther = request.modalities?.some((name) => name !== 'text' && name !== 'audio') === true
  return isOther ? ['modalities', ...(members ?? [])] : members
}

/** Members of earlier answers, which clients return as they came, and types that can only have one value. */
const ECHOES = ['id', 'index', 'type', 'annotations', 'logprobs', 'format', 'data', 'signature', 'text', 'summary']

/** The options also stay in the body, for vendors of the same dialect. */
function toWebSearch(options: unknown): WebSearch | undefined {
  if (!isFields(options)) return undefined
  const { approximate } = fieldsOf(options.user_location)
  return defined({
    name: 'web_search_options',
    contextSize: textOf(options.search_context_size),
    location: locationOf(approximate),
  })
}

type ToolMembers = Pick<ChatCompletionRequest, 'tools' | 'tool_choice' | 'functions' | 'function_call'>

/** Tools and legacy functions; a list of allowed tools means those tools and no others. */
function toTools({ tools, tool_choice, functions, function_call }: ToolMembers) {
  const all = tools?.map(toEither) ?? functions?.map((old) => toTool(old))
  const choice = tool_choice ?? function_call
  if (choice === undefined || typeof choice === 'string' || 'name' in choice) return { tools: all, toolChoice: choice }
  return { tools: all?.filter(({ name }) => choice.allowed.includes(name)), toolChoice: choice.mode }
}

const toEither = (tool: NonNullable<ToolMembers['tools']>[number]): ChatTool => {
  if (tool.type === 'function') return toTool(tool.function, tool.cache_control)
  const { name, description, format } = tool.custom
  return customTool({ name, description, grammar: format?.grammar })
}

type Definition = NonNullable<ChatCompletionRequest['functions']>[number]

const toTool = (
  { name, description, parameters, strict }: Definition,
  cache?: { ttl?: string | undefined } | undefined,
): ChatTool =>
  defined({
    name,
    description,
    parameters: toolParameters(parameters),
    strict,
    cache: cache === undefined ? undefined : defined({ ttl: cache.ttl }),
  })

function toFormat(format: ChatCompletionRequest['response_format']): ChatRequest['responseFormat'] | undefined {
  if (format === undefined) return undefined
  if (format.type === 'text') return { type: 'text' }
  if (format.type === 'json_object') return { type: 'json' }
  const { name, schema, strict } = format.json_schema
  return defined({ type: 'json_schema' as const, name, schema: schema ?? {}, strict })
}
