import type { ChatMessage, ChatRequest, ImageContent } from '../chat.ts'
import { argumentsObject, imagesOf, plainText, reasoningOf, toolCallsOf, toolNames } from '../content.ts'
import { withLeadingInstructions } from '../leading-instructions.ts'
import { offeredTools } from '../required-tool.ts'
import { refusal } from '../unsupported.ts'

/** A request in the format of Ollama's `/api/chat`. */
export function toChatBody(request: ChatRequest) {
  const names = toolNames(request.messages)
  return {
    model: request.model,
    stream: request.stream,
    messages: withLeadingInstructions(request.messages).map((message) => toMessage(message, names)),
    tools: tools(request),
    format: format(request),
    think: think(request),
    logprobs: request.logprobs,
    top_logprobs: request.topLogprobs,
    keep_alive: request.extra.keep_alive,
    options: {
      num_predict: request.maxTokens,
      num_ctx: request.extra.num_ctx,
      temperature: request.temperature,
      top_p: request.topP,
      top_k: request.topK,
      seed: request.seed,
      stop: request.stop,
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
    },
  }
}

function toMessage(message: ChatMessage, names: Map<string, string>) {
  const content = plainText(message.content)
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content }
    case 'user':
      return { role: 'user', content, images: images(message.content) }
    case 'assistant':
      return {
        role: 'assistant',
        content,
        thinking: reasoningOf(message.content) || undefined,
        tool_calls: calls(message.content),
      }
    case 'tool':
      return {
        role: 'tool',
        content,
        tool_name: message.name ?? names.get(message.callId),
        images: images(message.content),
      }
  }
}

function images(content: ChatMessage['content']) {
  const found = imagesOf(content)
  return found.length === 0 ? undefined : found.map(base64)
}

function base64({ source }: ImageContent) {
  if ('base64' in source) return source.base64
  throw refusal('Ollama', 'image_url', 'Ollama takes images as data, not as an address')
}

function calls(content: ChatMessage['content']) {
  const found = toolCallsOf(content)
  if (found.length === 0) return undefined
  return found.map(({ id, name, arguments: args }) => ({ id, function: { name, arguments: argumentsObject(args) } }))
}

function tools(request: ChatRequest) {
  const offered = offeredTools(request)
  if (offered.length === 0) return undefined
  return offered.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
}

function format({ responseFormat }: ChatRequest) {
  if (responseFormat?.type === 'json') return 'json'
  return responseFormat?.type === 'json_schema' ? responseFormat.schema : undefined
}

const LEVELS = new Map<string, string>([
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'high'],
])

/**
 * Models that Ollama lets think. It refuses the request for all others, which agents make of every model; without one, a model that can
 * think does.
 */
export const thinksAtOllama = (model: string) =>
  /(^|\/)(qwen3(?![\w.:-]*(?:coder|instruct))|deepseek-(?:r1|v3\.[1-9]|v[4-9])|gpt-oss|magistral|glm-[4-9]|kimi-k|minimax-m|nemotron-3|gemma4)/.test(
    model,
  )

/** Only gpt-oss supports effort levels; every other model refuses them. */
function think({ model, reasoning }: ChatRequest) {
  if (reasoning === undefined) return undefined
  if (reasoning.effort === 'none' || reasoning.budgetTokens === 0) return false
  if (model.includes('gpt-oss')) return LEVELS.get(reasoning.effort ?? 'medium') ?? 'medium'
  return thinksAtOllama(model) ? true : undefined
}
