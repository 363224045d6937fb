import type { ChatMessage, ChatRequest, ChatTool } from '../chat.ts'
import {
  imagesOf,
  mergeNeighbours,
  plainText,
  splitSystem,
  textAndImages,
  textInResults,
  toolCallsOf,
  toolText,
} from '../content.ts'
import { urlOf } from '../data-url.ts'
import { requiredTool } from '../required-tool.ts'
import { withUserFirst } from '../user-first.ts'

/** A request in the format of Hunyuan's `ChatCompletions`. */
export function toChatBody(request: ChatRequest) {
  const { system, turns } = splitSystem(request.messages)
  return {
    Model: request.model,
    Stream: request.stream,
    // System instructions are allowed only first, and user and assistant must alternate.
    Messages: [
      ...(system === '' ? [] : [{ Role: 'system', Content: system }]),
      ...textInResults(mergeNeighbours(withUserFirst(turns))).map(toMessage),
    ],
    Temperature: request.temperature,
    TopP: request.topP,
    Stop: request.stop,
    Seed: seed(request),
    ...toolMembers(request),
  }
}

function toMessage(message: ChatMessage) {
  const content = plainText(message.content)
  switch (message.role) {
    case 'tool':
      return { Role: 'tool', ToolCallId: message.callId, Content: toolText(message.content) }
    case 'assistant':
      return { Role: 'assistant', Content: content, ToolCalls: calls(message.content) }
    default:
      if (imagesOf(message.content).length === 0) return { Role: message.role, Content: content }
      return { Role: message.role, Contents: contents(message.content) }
  }
}

const contents = (content: ChatMessage['content']) =>
  textAndImages(content).map((part) =>
    part.type === 'text'
      ? { Type: 'text', Text: part.text }
      : { Type: 'image_url', ImageUrl: { Url: urlOf(part.source) } },
  )

function calls(content: ChatMessage['content']) {
  const found = toolCallsOf(content)
  if (found.length === 0) return undefined
  return found.map(({ id, name, arguments: args }, index) => ({
    Id: id,
    Type: 'function',
    Index: index,
    Function: { Name: name, Arguments: args },
  }))
}

function toolMembers(request: ChatRequest) {
  const { tools = [], toolChoice } = request
  if (tools.length === 0 || toolChoice === 'none') return {}
  const Tools = tools.map(toTool)
  const required = requiredTool(request)
  return required === undefined ? { Tools } : { Tools, ToolChoice: 'custom', CustomTool: toTool(required) }
}

const toTool = ({ name, description, parameters }: ChatTool) => ({
  Type: 'function',
  Function: { Name: name, Description: description, Parameters: JSON.stringify(parameters) },
})

/** Optional at OpenAI, but an error here when out of range. */
const seed = ({ seed: requested = 0 }: ChatRequest) => (requested >= 1 && requested <= 10_000 ? requested : undefined)
