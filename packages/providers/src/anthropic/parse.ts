import type { ChatRequest, ChatTool } from '../chat.ts'
import type { ParseHints } from '../dialect.ts'
import { foreignMembers } from '../foreign-members.ts'
import { defined, fieldsOf, filled } from '../json.ts'
import { parseStrict } from '../strict.ts'
import { withFilesAfterResults } from '../tool-files.ts'
import { toolParameters } from '../tool-parameters.ts'
import { unreadMembers } from '../unread-members.ts'
import { toCache, toMessages, toTexts } from './parse-messages.ts'
import { MessagesRequest } from './request-schema.ts'
import { expandThread, toTurn } from './threads.ts'
import { takeToolSearch } from './tool-search.ts'
import { takeWebSearch } from './web-search.ts'

/** A Messages request in the internal format. Members that only Anthropic's models know are left out. */
export function parseMessages(body: unknown, hints: ParseHints = {}): ChatRequest {
  const expanded = fieldsOf(expandThread(body, hints))
  const { tools: own, droppedTools } = takeToolSearch(expanded.tools)
  const { webSearch, tools, unread } = takeWebSearch(own)
  const request = parseStrict(MessagesRequest, { ...expanded, tools })
  const { system, tool_choice: choice } = request
  return defined({
    model: hints.model ?? request.model,
    stream: hints.stream ?? request.stream ?? false,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: toTexts(system) }]),
      ...withFilesAfterResults(request.messages.flatMap((message, index) => toMessages(message, `messages[${index}]`))),
    ],
    maxTokens: request.max_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    topK: request.top_k,
    stop: filled(request.stop_sequences),
    user: request.metadata?.user_id,
    tools: request.tools?.map(toTool),
    toolChoice: toToolChoice(choice),
    parallelToolCalls:
      choice !== undefined && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use
        ? false
        : undefined,
    responseFormat: toFormat(request),
    reasoning: toReasoning(request),
    turn: toTurn(body),
    webSearch,
    droppedTools,
    unread: toUnread(request, unread),
    ...toExtra(request),
  })
}

/** The remaining parameters, under their chat-completions names where those exist. */
function toExtra(request: MessagesRequest) {
  const { service_tier, ...rest } = Object.fromEntries(Object.entries(request).filter(([name]) => !READ.has(name)))
  return foreignMembers({ ...rest, service_tier: service_tier === 'standard_only' ? 'default' : undefined })
}

function toUnread(request: MessagesRequest, ofSearch: readonly string[]): string[] | undefined {
  const members = unreadMembers(MessagesRequest, request, { echoes: ECHOES })
  return ofSearch.length === 0 ? members : [...(members ?? []), ...ofSearch]
}

/** How Claude called a tool in an earlier answer, and types that can only have one value. */
const ECHOES = ['caller', 'toolset_name', 'id', 'type', 'media_type']

const READ: ReadonlySet<string> = new Set([...Object.keys(MessagesRequest.shape), 'previous_message_id'])

const toTool = ({ name, description, input_schema, strict, cache_control }: Tool): ChatTool =>
  defined({ name, description, parameters: toolParameters(input_schema), strict, cache: toCache(cache_control) })

type Tool = NonNullable<MessagesRequest['tools']>[number]

function toToolChoice(choice: MessagesRequest['tool_choice']): ChatRequest['toolChoice'] | undefined {
  if (choice === undefined) return undefined
  if (choice.type === 'tool') return { name: choice.name }
  return choice.type === 'any' ? 'required' : choice.type
}

/** Anthropic's format has no schema name; other dialects require one. */
function toFormat({ output_config, output_format }: MessagesRequest): ChatRequest['responseFormat'] | undefined {
  const format = output_config?.format ?? output_format
  return format === undefined ? undefined : { type: 'json_schema', name: 'answer', schema: format.schema, strict: true }
}

function toReasoning({ thinking, output_config }: MessagesRequest): ChatRequest['reasoning'] | undefined {
  const effort = output_config?.effort
  if (thinking === undefined) return effort === undefined ? undefined : { effort }
  if (thinking.type === 'enabled') return defined({ effort, budgetTokens: thinking.budget_tokens })
  return thinking.type === 'disabled' ? { effort: 'none' } : defined({ effort })
}
