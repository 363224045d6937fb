import { strictOpenAi } from './strict-openai.ts'
import { type Fields, fields, firstOf, list, type StrictVendor } from './strict-vendor.ts'

/** Mistral's chat: unknown members are refused, ids have nine characters, and roles their order. */
export const strictMistral: StrictVendor = {
  ...strictOpenAi,
  name: 'Mistral',
  type: 28,
  model: 'mistral-medium-latest',
  complaint({ messages, ...body }, signed) {
    const all = list(messages).map(fields)
    const unknown = Object.keys(body).filter((name) => !MEMBERS.has(name))
    return firstOf(
      unknown.length > 0 && `extra_forbidden: ${unknown.join(', ')}`,
      ...all.map(messageComplaint),
      ...all.map(({ role }, index) => orderComplaint(role, all[index - 1])),
      lastComplaint(all.at(-1) ?? {}),
      // It also knows blocks of thinking, which are no part of OpenAI's dialect.
      strictOpenAi.complaint({ ...body, messages: all.map(withoutThinking) }, signed),
    )
  },
}

const MEMBERS = new Set([
  ...['model', 'temperature', 'top_p', 'max_tokens', 'stream', 'stop', 'random_seed', 'metadata', 'response_format'],
  ...['tools', 'tool_choice', 'presence_penalty', 'frequency_penalty', 'n', 'prediction', 'parallel_tool_calls'],
  ...['reasoning_effort', 'prompt_mode', 'guardrails', 'prompt_cache_key', 'service_tier', 'safe_prompt'],
])

const OF_MESSAGES: Record<string, readonly string[]> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'prefix'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
}

function messageComplaint(message: Fields) {
  const { role, content, tool_calls, tool_call_id } = message
  const known = OF_MESSAGES[String(role)] ?? []
  const unknown = Object.keys(message).filter((name) => !known.includes(name))
  const ids = [
    ...list(tool_calls).map((call) => fields(call).id),
    ...(tool_call_id === undefined ? [] : [tool_call_id]),
  ]
  const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(String(id)))
  const isSilent = role === 'assistant' && list(tool_calls).length === 0 && (content === '' || content == null)
  return firstOf(
    unknown.length > 0 && `extra_forbidden: messages.${unknown.join(', ')}`,
    wrong !== undefined && `Tool call id was ${String(wrong)} but must be a-z, A-Z, 0-9, with a length of 9.`,
    isSilent && 'Assistant message must have either content or tool_calls, but not none.',
  )
}

const AFTER: Record<string, readonly string[]> = {
  system: ['system', 'user', 'assistant'],
  user: ['system', 'user', 'assistant'],
  assistant: ['user', 'assistant', 'tool'],
  tool: ['assistant', 'tool'],
}

const orderComplaint = (role: unknown, before: Fields | undefined) =>
  before === undefined || AFTER[String(before.role)]?.includes(String(role))
    ? undefined
    : `Unexpected role '${String(role)}' after role '${String(before.role)}'`

const lastComplaint = ({ role, prefix }: Fields) =>
  role === 'user' || role === 'tool' || (role === 'assistant' && prefix === true)
    ? undefined
    : `Expected last role User or Tool (or Assistant with prefix True) for serving but got ${String(role)}`

const withoutThinking = ({ content, ...message }: Fields): Fields => {
  if (!Array.isArray(content)) return { ...message, content }
  const rest = content.filter((part) => fields(part).type !== 'thinking')
  return { ...message, content: rest.length === 0 ? null : rest }
}
