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
import { fitsStrict } from '../openai/strict-schema.ts'
import { refusal } from '../unsupported.ts'
import { boundedUser } from '../user-id.ts'
import { toCustomTool } from './response.ts'

/** Models that OpenAI offers through Responses alone. */
export const isResponsesOnly = (model: string) =>
  /(^|\/)(gpt-[\d.]+-(codex|pro)|codex-|o\d+-pro|o\d.*-deep-research|computer-use)/.test(model)

/** A chat in the dialect of Responses; nothing is kept there. */
export function toResponsesBody(request: ChatRequest) {
  const { tools = [], toolChoice, reasoning, n = 1 } = request
  if (n !== 1) throw refusal('Responses', 'n')
  const custom = customNames(request)
  const calls = customCalls(request, custom)
  return defined({
    model: request.model,
    input: request.messages.flatMap((message) => toItems(message, calls)),
    stream: request.stream ? true : undefined,
    store: false,
    max_output_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_logprobs: request.logprobs ? request.topLogprobs : undefined,
    include: request.logprobs ? ['message.output_text.logprobs'] : undefined,
    user: boundedUser(request.user),
    tools: tools.length === 0 ? undefined : tools.map(toTool),
    tool_choice:
      typeof toolChoice === 'object'
        ? { type: custom.has(toolChoice.name) ? 'custom' : 'function', name: toolChoice.name }
        : toolChoice,
    parallel_tool_calls: tools.length === 0 ? undefined : request.parallelToolCalls,
    reasoning: reasoning?.effort === undefined ? undefined : { effort: reasoning.effort, summary: 'auto' },
    text: toText(request.responseFormat),
  })
}

const toTool = ({ name, description, parameters, strict = false, custom }: ChatTool) =>
  custom === undefined
    ? defined({ type: 'function', name, description, parameters, strict: strict && fitsStrict(parameters) })
    : toCustomTool(name, custom)

/** The ids of calls of tools that take plain text: their results are items of another kind. */
const customCalls = ({ messages }: ChatRequest, names: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ content }) => toolCallsOf(content).flatMap(({ id, name }) => (names.has(name) ? [id] : []))),
  )

function toText(format: ChatRequest['responseFormat']) {
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json') return { format: { type: 'json_object' } }
  const { name, schema, strict = false } = format
  return { format: { type: 'json_schema', name, schema, strict: strict && fitsStrict(schema) } }
}

function toItems(message: ChatMessage, custom: ReadonlySet<string>): object[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ role: message.role, content: plainText(message.content) }]
    case 'user':
      return [{ role: 'user', content: message.content.map(toPart) }]
    case 'assistant':
      return message.content.flatMap((part) => toSaid(part, custom))
    case 'tool': {
      const type = custom.has(message.callId) ? 'custom_tool_call_output' : 'function_call_output'
      return [{ type, call_id: message.callId, output: toOutput(message.content) }]
    }
  }
}

/** Reasoning stays out: without the id that it had there, it would be refused. */
function toSaid(part: AssistantContent, custom: ReadonlySet<string>): object[] {
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
    case 'reasoning':
      return []
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
