import type { ChatRequest, ChatTool, FinishReason } from '../chat.ts'
import { customNames } from '../custom-tool.ts'
import type { AnswerMeta } from '../dialect.ts'
import { defined } from '../json.ts'
import { callerNames, namedAs } from '../namespaced-tool.ts'
import { cacheReads, cacheWrites, inputTokens, outputTokens, type Usage } from '../usage.ts'
import { clientTools } from './client-tools.ts'
import type { Item } from './items.ts'

/** The response object: the request, its status, and the output so far. Every member of OpenAI's is there: clients check them. */
export function responseObject(
  { id, model, createdSec, nowSec, request }: AnswerMeta,
  { status, output = [], usage, finish, error = null }: ResponseState,
) {
  const shown = (name: string) => request.extra[name] ?? null
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: createdSec,
    completed_at: status === 'completed' ? nowSec() : null,
    status,
    background: false,
    error,
    frequency_penalty: 0,
    incomplete_details: finish === undefined ? null : incompleteDetails(finish),
    instructions: request.instructions ?? null,
    max_output_tokens: request.maxTokens ?? null,
    max_tool_calls: shown('max_tool_calls'),
    metadata: shown('metadata') ?? {},
    model,
    output,
    parallel_tool_calls: request.parallelToolCalls ?? true,
    presence_penalty: 0,
    previous_response_id: request.turn?.previous ?? null,
    prompt_cache_key: shown('prompt_cache_key'),
    reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
    safety_identifier: shown('safety_identifier'),
    store: request.stateless !== true,
    temperature: request.temperature ?? 1,
    text: { format: textFormat(request) },
    tool_choice: toolChoice(request),
    tools: toolsShown(request.tools),
    top_logprobs: request.topLogprobs ?? 0,
    top_p: request.topP ?? 1,
    truncation: shown('truncation') ?? 'disabled',
    usage: usage === undefined ? null : responseUsage(usage),
    user: request.user ?? null,
  }
}

interface ResponseState {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  output?: Item[]
  usage?: Usage | undefined
  finish?: FinishReason
  error?: { code: string; message: string } | null
}

/** A truncated response is incomplete, and contains the reason. */
export const statusOf = (finish: FinishReason) => (incompleteDetails(finish) === null ? 'completed' : 'incomplete')

function incompleteDetails(finish: FinishReason) {
  if (finish === 'length') return { reason: 'max_output_tokens' }
  return finish === 'content_filter' ? { reason: 'content_filter' } : null
}

function textFormat({ responseFormat: format }: ChatRequest) {
  if (format === undefined || format.type === 'text') return { type: 'text' }
  return format.type === 'json' ? { type: 'json_object' } : { description: null, strict: false, ...format }
}

/** Tools of a namespace are grouped again, at the position of the first one. */
function toolsShown(tools: readonly ChatTool[] = []) {
  const groups = new Map<string, object[]>()
  return tools.flatMap((tool): object[] => {
    if (tool.namespace === undefined) return [toolShown(tool)]
    const { name, description = '', tool: own, toolDescription = null } = tool.namespace
    const shown = toolShown({ ...tool, name: own, description: toolDescription })
    const known = groups.get(name)
    known?.push(shown)
    if (known !== undefined) return []
    const group = [shown]
    groups.set(name, group)
    return [{ type: 'namespace', name, description, tools: group }]
  })
}

function toolShown({ name, description = null, parameters, strict = false, custom, client }: Tool) {
  if (client !== undefined) return client
  return custom === undefined ? { type: 'function', name, description, parameters, strict } : toCustomTool(name, custom)
}

type Tool = Omit<ChatTool, 'description'> & { description?: string | null }

/** A custom tool in this dialect. */
export const toCustomTool = (name: string, { description, grammar }: NonNullable<ChatTool['custom']>) =>
  defined({
    type: 'custom',
    name,
    description,
    format: grammar === undefined ? { type: 'text' } : { type: 'grammar', ...grammar },
  })

function toolChoice(request: ChatRequest) {
  const { toolChoice: choice = 'auto' } = request
  if (typeof choice !== 'object') return choice
  const client = clientTools(request).get(choice.name)
  if (client !== undefined) return { type: client }
  const type = customNames(request).has(choice.name) ? 'custom' : 'function'
  return { type, ...namedAs(callerNames(request)(choice.name)) }
}

const responseUsage = (usage: Usage) => ({
  input_tokens: inputTokens(usage),
  input_tokens_details: { cached_tokens: cacheReads(usage), cache_write_tokens: cacheWrites(usage) },
  output_tokens: outputTokens(usage),
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: inputTokens(usage) + outputTokens(usage),
})
