import type { ChatMessage, ChatRequest } from '../chat.ts'
import { clamp } from '../clamp.ts'
import { mergeNeighbours, plainText, splitSystem, toolCallsOf, toolText } from '../content.ts'
import { offeredTools } from '../required-tool.ts'
import { refusal } from '../unsupported.ts'
import type { SparkVersion } from './versions.ts'

/** The first and only message that we send over the socket. */
export function toFirstMessage(request: ChatRequest, appId: string, version: SparkVersion) {
  const { system, turns } = splitSystem(request.messages)
  const texts = mergeNeighbours(turns.map(withoutCalls)).map(({ role, content }) => ({
    role,
    content: plainText(content),
  }))
  return {
    header: { app_id: appId, uid: uid(request) },
    parameter: {
      chat: {
        domain: version.domain,
        temperature: clamp(request.temperature, [0.01, 1]),
        top_k: clamp(request.topK, [1, 6]),
        max_tokens: clamp(request.maxTokens, [1, version.outputMax]),
      },
    },
    payload: {
      message: { text: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...texts] },
      functions: functions(request, version),
    },
  }
}

/** Spark can request a call but has no format for calls in a conversation: call and result become text. */
function withoutCalls(message: ChatMessage): ChatMessage {
  if (message.role === 'tool') return { role: 'user', content: [{ type: 'text', text: toolText(message.content) }] }
  if (message.role !== 'assistant') return message
  const calls = toolCallsOf(message.content).map(({ name, arguments: args }) => `${name}(${args})`)
  return { role: 'assistant', content: [...message.content, ...calls.map((text) => ({ type: 'text' as const, text }))] }
}

function functions(request: ChatRequest, version: SparkVersion) {
  const tools = offeredTools(request)
  if (tools.length === 0) return undefined
  if (!version.functions) throw refusal('Spark', 'tools', `Spark ${version.domain} does not support 'tools'`)
  return { text: tools.map(({ name, description = name, parameters }) => ({ name, description, parameters })) }
}

/** At most 32 characters; a longer one would be an error, and it is only a hint. */
const uid = ({ user }: ChatRequest) => (user === undefined || user.length > 32 ? undefined : user)
