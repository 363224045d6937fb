import type { ChatRequest } from '../chat.ts'
import type { ParseHints } from '../dialect.ts'
import { foreignMembers } from '../foreign-members.ts'
import { defined, fieldsOf, listOf, textOf } from '../json.ts'
import { parseStrict } from '../strict.ts'
import { unreadMembers } from '../unread-members.ts'
import { toMessages } from './parse-input.ts'
import { restoreItems } from './recall.ts'
import { type InputItem, ResponsesRequest } from './request-schema.ts'
import { toTools } from './tools.ts'

/** A Responses request in the internal format. */
export function parseResponses(body: unknown, hints: ParseHints = {}): ChatRequest {
  const request = parseStrict(ResponsesRequest, restoreItems(body, hints))
  const { input, instructions } = request
  const { effort, format } = settingsOf(request)
  const { names, ...tools } = toTools({ ...request, tools: offeredTools(request) })
  const logprobs = request.include?.includes('message.output_text.logprobs')
  return defined({
    model: hints.model ?? request.model,
    stream: hints.stream ?? request.stream ?? false,
    messages: [
      ...(instructions ? [{ role: 'system' as const, content: [{ type: 'text' as const, text: instructions }] }] : []),
      ...toMessages(
        typeof input === 'string' ? [{ type: 'message' as const, role: 'user' as const, content: input }] : input,
        names,
      ),
    ],
    instructions,
    maxTokens: request.max_output_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    logprobs: logprobs ? true : undefined,
    topLogprobs: logprobs ? request.top_logprobs : undefined,
    user: request.user,
    ...tools,
    parallelToolCalls: request.parallel_tool_calls,
    responseFormat: toFormat(format),
    reasoning: effort === undefined ? undefined : { effort },
    stateless: request.store === false ? (true as const) : undefined,
    turn: request.store === false ? undefined : toTurn(body, hints),
    unread: toUnread(request),
    ...toExtra(request),
  })
}

/** The remaining parameters, under their chat-completions names. */
function toExtra(request: ResponsesRequest): Pick<ChatRequest, 'foreign' | 'extra'> {
  const rest = Object.entries(request).filter(([name]) => !READ.has(name))
  const verbosity = textOf(request.text?.verbosity)
  return foreignMembers({ ...Object.fromEntries(rest), verbosity })
}

/** An update in the conversation holds until the next one. */
function settingsOf({ input, reasoning, text }: ResponsesRequest): { effort?: string; format?: Format } {
  const updates = typeof input === 'string' ? [] : input.filter((item) => item.type === 'configuration_update')
  const effort = updates.findLast((update) => update.reasoning?.effort !== undefined)?.reasoning?.effort
  const format = updates.findLast((update) => update.text?.format !== undefined)?.text?.format
  return defined({ effort: effort ?? reasoning?.effort, format: format ?? text?.format })
}

/** The tools of the request and those of its input, each name once. */
function offeredTools({ tools, input }: ResponsesRequest): ResponsesRequest['tools'] {
  const items = typeof input === 'string' ? [] : input
  const more = items.flatMap((item) => (isMoreTools(item) ? item.tools : []))
  if (more.length === 0) return tools
  const all = [...(tools ?? []), ...more]
  return all.filter((tool, index) => all.findIndex((other) => nameIn(other) === nameIn(tool)) === index)
}

const isMoreTools = (
  item: InputItem,
): item is Extract<InputItem, { type: 'additional_tools' | 'tool_search_output' }> =>
  item.type === 'additional_tools' || item.type === 'tool_search_output'

const nameIn = (tool: NonNullable<ResponsesRequest['tools']>[number]) =>
  tool.type === 'other' ? tool.kind : 'name' in tool ? `${tool.type} ${tool.name}` : tool.type

/** Members that nothing reads, and additions to the answer that no other vendor has. */
function toUnread(request: ResponsesRequest): string[] | undefined {
  const included = (request.include ?? []).filter((name) => !INCLUDED.has(name)).map((name) => `include.${name}`)
  const members = unreadMembers(ResponsesRequest, request, { echoes: ECHOES })
  return included.length === 0 ? members : [...included, ...(members ?? [])]
}

/** Members of earlier items, which clients return as they came. */
const ECHOES = [
  'id',
  'status',
  'phase',
  'annotations',
  'logprobs',
  'caller',
  'type',
  'role',
  'call_id',
  'execution',
  'created_by',
]
const INCLUDED: ReadonlySet<string> = new Set(['reasoning.encrypted_content', 'message.output_text.logprobs'])

const READ: ReadonlySet<string> = new Set([...Object.keys(ResponsesRequest.shape), 'previous_response_id'])

/** The new part of this call; what it refers to is already stored. */
function toTurn(body: unknown, hints: ParseHints): ChatRequest['turn'] {
  const { input, previous_response_id: previous } = fieldsOf(body)
  const { input: own } = restoreItems({ input }, hints)
  return defined({ previous: textOf(previous), input: listOf(own) })
}

type Format = NonNullable<NonNullable<ResponsesRequest['text']>['format']>

function toFormat(format: Format | undefined): ChatRequest['responseFormat'] | undefined {
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json' }
  const { name, schema, strict } = format
  return defined({ type: 'json_schema' as const, name, schema: schema ?? {}, strict })
}
