import type { ChatMessage, ChatRequest, ChatTool } from '../chat.ts'
import { plainText, toolCallsOf } from '../content.ts'
import { urlOf } from '../data-url.ts'
import { mentioningJson } from '../json-instruction.ts'
import { withLeadingInstructions } from '../leading-instructions.ts'
import { requiredTool } from '../required-tool.ts'
import { isMultimodal } from './endpoints.ts'

const INTERNET = '-internet'

/** A request in DashScope's own format. A model name ending in `-internet` enables web search. */
export function toGenerationBody(request: ChatRequest) {
  const searches = request.model.endsWith(INTERNET)
  const multimodal = isMultimodal(request)
  return {
    model: searches ? request.model.slice(0, -INTERNET.length) : request.model,
    input: {
      messages: withLeadingInstructions(mentioningJson(request).messages).map((message) =>
        toMessage(message, multimodal),
      ),
    },
    parameters: {
      ...own(request.extra),
      result_format: 'message',
      incremental_output: request.stream || undefined,
      max_tokens: request.maxTokens,
      // Their upper bounds are exclusive; OpenAI's are inclusive.
      temperature: below(request.temperature, 2),
      top_p: below(request.topP, 1),
      top_k: request.topK,
      n: request.n,
      seed: request.seed,
      stop: request.stop,
      presence_penalty: request.presencePenalty,
      logprobs: request.logprobs,
      top_logprobs: request.topLogprobs,
      response_format: responseFormat(request),
      ...(searches ? { enable_search: true } : {}),
      ...toolMembers(request),
      ...thinking(request),
    },
  }
}

/** Parameters that OpenAI does not have; DashScope's clients send them beside the others. */
const OWN = [
  'enable_search',
  'search_options',
  'enable_thinking',
  'thinking_budget',
  'preserve_thinking',
  'repetition_penalty',
  'enable_code_interpreter',
  'vl_high_resolution_images',
  'translation_options',
  'asr_options',
]

const own = (extra: Record<string, unknown>) =>
  Object.fromEntries(OWN.flatMap((name) => (extra[name] === undefined ? [] : [[name, extra[name]]])))

const below = (value: number | undefined, bound: number) =>
  value === undefined ? undefined : Math.min(value, bound - 0.0001)

function toMessage(message: ChatMessage, multimodal: boolean) {
  const content = multimodal ? contentList(message.content) : plainText(message.content)
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content }
    case 'user':
      return { role: 'user', content }
    case 'assistant':
      return { role: 'assistant', content, tool_calls: calls(message.content) }
    case 'tool':
      return { role: 'tool', content, tool_call_id: message.callId }
  }
}

const contentList = (content: ChatMessage['content']) =>
  content.flatMap((part): Record<string, string>[] => {
    if (part.type === 'text' || part.type === 'refusal') return [{ text: part.text }]
    if (part.type === 'image') return [{ image: urlOf(part.source) }]
    if (part.type === 'audio') return [{ audio: `data:audio/${part.format};base64,${part.base64}` }]
    return []
  })

function calls(content: ChatMessage['content']) {
  const found = toolCallsOf(content)
  if (found.length === 0) return undefined
  return found.map(({ id, name, arguments: args }, index) => ({
    id,
    type: 'function',
    index,
    function: { name, arguments: args },
  }))
}

function toolMembers(request: ChatRequest) {
  const { tools = [], toolChoice, parallelToolCalls } = request
  if (tools.length === 0) return {}
  const required = requiredTool(request)
  const choice = toolChoice === 'auto' || toolChoice === 'none' ? toolChoice : undefined
  return {
    tools: tools.map(toTool),
    tool_choice: required === undefined ? choice : { type: 'function', function: { name: required.name } },
    parallel_tool_calls: parallelToolCalls,
  }
}

const toTool = ({ name, description, parameters }: ChatTool) => ({
  type: 'function',
  function: { name, description, parameters },
})

function responseFormat({ responseFormat: format }: ChatRequest) {
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json') return { type: 'json_object' }
  const { name, schema, strict } = format
  return { type: 'json_schema', json_schema: { name, schema, strict } }
}

/** Efforts only switch thinking on or off; a token budget can be passed on. */
function thinking({ reasoning }: ChatRequest) {
  if (reasoning === undefined) return {}
  if (reasoning.effort === 'none' || reasoning.budgetTokens === 0) return { enable_thinking: false }
  return { enable_thinking: true, thinking_budget: reasoning.budgetTokens }
}
