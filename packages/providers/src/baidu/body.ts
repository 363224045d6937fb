import type { ChatMessage, ChatRequest } from '../chat.ts'
import { clamp } from '../clamp.ts'
import { mergeNeighbours, plainText, splitSystem, textInResults, toolCallsOf, toolNames, toolText } from '../content.ts'
import { requiredTool } from '../required-tool.ts'
import { withUserFirst } from '../user-first.ts'
import { boundedUser } from '../user-id.ts'

/** A request in the format of Wenxin's chat. */
export function toChatBody(request: ChatRequest) {
  const { system, turns } = splitSystem(request.messages)
  const names = toolNames(request.messages)
  return {
    messages: mergeNeighbours(oneCallPerTurn(textInResults(withUserFirst(turns)))).map((message) =>
      toMessage(message, names),
    ),
    system: system || undefined,
    stream: request.stream,
    temperature: clamp(request.temperature, [0.01, 1]),
    top_p: clamp(request.topP, [0, 1]),
    // Theirs runs from 1 (none) to 2, OpenAI's from 0 to 2.
    penalty_score: request.frequencyPenalty === undefined ? undefined : 1 + Math.max(0, request.frequencyPenalty) / 2,
    stop: request.stop,
    max_output_tokens: clamp(request.maxTokens, [2, longestOutput(request.model)]),
    user_id: boundedUser(request.user),
    response_format: request.responseFormat?.type === 'json' ? 'json_object' : undefined,
    ...toolMembers(request),
  }
}

/** Agents request far more output than these models can write. */
const longestOutput = (model: string) => (/128k/i.test(model) ? 4096 : 2048)

function toMessage(message: ChatMessage, names: Map<string, string>) {
  if (message.role === 'tool') {
    const name = message.name ?? names.get(message.callId) ?? message.callId
    return { role: 'function', name, content: toolText(message.content) }
  }
  const content = plainText(message.content)
  const [call] = toolCallsOf(message.content)
  if (call === undefined) return { role: message.role, content }
  return { role: message.role, content, function_call: { name: call.name, arguments: call.arguments } }
}

/** A turn may hold a single call followed by its result, so several calls become several turns. */
function oneCallPerTurn(turns: readonly ChatMessage[]): ChatMessage[] {
  const results = new Map(turns.flatMap((turn) => (turn.role === 'tool' ? [[turn.callId, turn] as const] : [])))
  return turns.flatMap((turn): ChatMessage[] => {
    const calls = toolCallsOf(turn.content)
    if (turn.role === 'tool') return []
    if (turn.role !== 'assistant' || calls.length === 0) return [turn]
    const content = turn.content.filter(({ type }) => type !== 'tool-call')
    return calls.flatMap((call, index): ChatMessage[] => {
      const callMessage: ChatMessage = { role: 'assistant', content: index === 0 ? [...content, call] : [call] }
      const result = results.get(call.id)
      return result === undefined ? [callMessage] : [callMessage, result]
    })
  })
}

function toolMembers(request: ChatRequest) {
  const { tools = [], toolChoice } = request
  const required = requiredTool(request)
  if (tools.length === 0 || toolChoice === 'none') return {}
  return {
    functions: tools.map(({ name, description, parameters }) => ({
      name,
      description: description ?? name,
      parameters,
    })),
    tool_choice: required === undefined ? undefined : { type: 'function', function: { name: required.name } },
  }
}
