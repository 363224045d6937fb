import type { ChatMessage, ChatRequest, UserContent } from '../chat.ts'
import { plainText, reasoningOf, textAndImages, toolCallsOf, toolText } from '../content.ts'
import { urlOf } from '../data-url.ts'

/** A request in the format of Cohere's v2 chat. */
export const toChatBody = (request: ChatRequest) => ({
  model: request.model,
  stream: request.stream,
  messages: request.messages.map(toMessage),
  max_tokens: request.maxTokens,
  temperature: request.temperature,
  p: request.topP,
  k: request.topK,
  seed: request.seed,
  stop_sequences: request.stop,
  frequency_penalty: request.frequencyPenalty,
  presence_penalty: request.presencePenalty,
  response_format: responseFormat(request),
  thinking: thinking(request),
  ...toolMembers(request),
  ...Object.fromEntries(COHERE_MEMBERS.map((name) => [name, request.extra[name]])),
})

/** Cohere's own parameters: documents to use, and how they are cited. */
export const COHERE_MEMBERS = ['documents', 'citation_options'] as const

function toMessage(message: ChatMessage) {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: plainText(message.content) }
    case 'user':
      return { role: 'user', content: userContent(message.content) }
    case 'assistant':
      return assistantMessage(message.content)
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: toolText(message.content) }
  }
}

function userContent(content: UserContent[]) {
  if (content.every((part) => part.type === 'text')) return plainText(content)
  return textAndImages(content).map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: urlOf(part.source), detail: part.detail } },
  )
}

/** Beside tool calls Cohere expects a plan instead of an answer, which the decoder returns as reasoning. */
function assistantMessage(content: Extract<ChatMessage, { role: 'assistant' }>['content']) {
  const calls = toolCallsOf(content)
  const [text, reasoning] = [plainText(content), reasoningOf(content)]
  if (calls.length > 0) {
    return {
      role: 'assistant',
      tool_plan: reasoning || text || undefined,
      tool_calls: calls.map(({ id, name, arguments: args }) => ({
        id,
        type: 'function',
        function: { name, arguments: args },
      })),
    }
  }
  if (reasoning === '') return { role: 'assistant', content: text }
  return {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: reasoning },
      { type: 'text', text },
    ],
  }
}

/** A single named tool is expressed as "must call", with no other tool offered. */
function toolMembers({ tools = [], toolChoice = 'auto' }: ChatRequest) {
  if (tools.length === 0) return {}
  const offered = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools
  return {
    tools: offered.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    strict_tools: tools.some(({ strict }) => strict) || undefined,
    tool_choice: toolChoice === 'auto' ? undefined : toolChoice === 'none' ? 'NONE' : 'REQUIRED',
  }
}

function responseFormat({ responseFormat: format }: ChatRequest) {
  if (format === undefined || format.type === 'text') return undefined
  return { type: 'json_object', json_schema: format.type === 'json_schema' ? format.schema : undefined }
}

function thinking({ reasoning }: ChatRequest) {
  if (reasoning === undefined) return undefined
  if (reasoning.effort === 'none' || reasoning.budgetTokens === 0) return { type: 'disabled' }
  return { type: 'enabled', token_budget: reasoning.budgetTokens }
}
