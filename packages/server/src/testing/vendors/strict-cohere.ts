import {
  type Fields,
  fields,
  firstOf,
  list,
  type StrictVendor,
  sseOf,
  trickle,
  type VendorAnswer,
} from './strict-vendor.ts'

/** Cohere's v2 chat: a plan beside calls, results by the id of their call, events with names of their own. */
export const strictCohere: StrictVendor = {
  name: 'Cohere',
  type: 35,
  model: 'command-a-reasoning-08-2025',
  isStream: (_, { stream }) => stream === true,
  complaint({ messages, tools, ...body }) {
    const all = list(messages).map(fields)
    const unknown = Object.keys(body).filter((name) => !MEMBERS.has(name))
    return firstOf(
      unknown.length > 0 && `unknown field: parameter '${unknown.join(', ')}' is not a valid field`,
      all.length === 0 && 'messages must not be empty',
      ...all.map(messageComplaint),
      ...all.map((message, index) => resultComplaint(message, all.slice(0, index))),
      ...list(tools).map(toolComplaint),
    )
  },
  whole: (answer) => ({
    id: answer.id ?? 'strict',
    finish_reason: finishOf(answer),
    message: {
      role: 'assistant',
      ...(answer.calls === undefined
        ? { content: contentOf(answer) }
        : { tool_plan: planOf(answer), tool_calls: answer.calls.map(callOf) }),
    },
    usage: usageOf(answer),
  }),
  stream(answer) {
    const said = (type: string, message: object, index = 0) => ({ type, index, delta: { message } })
    const texts = contentOf(answer).flatMap(({ type, ...block }, index) => {
      const [[name, text] = []] = Object.entries(block)
      const piece = (words: string) => ({ content: { [String(name)]: words } })
      return [
        said('content-start', { content: { type, [String(name)]: '' } }, index),
        ...trickle(String(text)).map((words) => said('content-delta', piece(words), index)),
        { type: 'content-end', index },
      ]
    })
    const calls = (answer.calls ?? []).flatMap((call, index) => [
      said('tool-call-start', { tool_calls: { ...callOf(call), function: { name: call.name, arguments: '' } } }, index),
      ...trickle(JSON.stringify(call.args)).map((piece) =>
        said('tool-call-delta', { tool_calls: { function: { arguments: piece } } }, index),
      ),
      { type: 'tool-call-end', index },
    ])
    const plan = trickle(planOf(answer)).map((words) => said('tool-plan-delta', { tool_plan: words }))
    const start = { id: answer.id ?? 'strict', type: 'message-start', delta: { message: { role: 'assistant' } } }
    const end = { type: 'message-end', delta: { finish_reason: finishOf(answer), usage: usageOf(answer) } }
    return sseOf([start, ...(answer.calls === undefined ? texts : [...plan, ...calls]), end], true)
  },
}

const MEMBERS = new Set([
  ...['model', 'stream', 'strict_tools', 'documents', 'citation_options', 'response_format', 'safety_mode'],
  ...['max_tokens', 'stop_sequences', 'temperature', 'seed', 'frequency_penalty', 'presence_penalty', 'k', 'p'],
  ...['logprobs', 'tool_choice', 'thinking', 'priority'],
])

const ROLES = ['system', 'user', 'assistant', 'tool']

function messageComplaint({ role, content, tool_calls, tool_plan }: Fields) {
  if (!ROLES.includes(String(role))) return `invalid role: ${String(role)}`
  if (role !== 'assistant' && (content === '' || content === undefined))
    return `a ${String(role)} message has no content`
  if (tool_plan !== undefined && list(tool_calls).length === 0) return 'tool_plan without tool_calls'
  const isText = (call: unknown) => typeof fields(fields(call).function).arguments === 'string'
  return list(tool_calls).every(isText) ? undefined : 'tool_calls.function.arguments must be a string'
}

function resultComplaint({ role, tool_call_id }: Fields, before: readonly Fields[]) {
  if (role !== 'tool') return undefined
  const called = before.flatMap(({ tool_calls }) => list(tool_calls).map((call) => fields(call).id))
  return called.includes(tool_call_id) ? undefined : `no matching tool call found for ${String(tool_call_id)}`
}

function toolComplaint(tool: unknown) {
  const { type, function: own } = fields(tool)
  if (type !== 'function') return `tools.type: ${String(type)}`
  return fields(fields(own).parameters).type === 'object' ? undefined : 'tools.function.parameters: not an object'
}

const finishOf = ({ calls }: VendorAnswer) => (calls === undefined ? 'COMPLETE' : 'TOOL_CALL')

const planOf = ({ thinking, text }: VendorAnswer) => thinking?.text ?? text ?? ''

const contentOf = ({ thinking, text = '' }: VendorAnswer): Fields[] => [
  ...(thinking === undefined ? [] : [{ type: 'thinking', thinking: thinking.text }]),
  { type: 'text', text },
]

const callOf = ({ id, name, args }: NonNullable<VendorAnswer['calls']>[number]) => ({
  ...{ id, type: 'function' },
  function: { name, arguments: JSON.stringify(args) },
})

const usageOf = ({ usage: { input, output } }: VendorAnswer) => ({
  billed_units: { input_tokens: input, output_tokens: output },
  tokens: { input_tokens: input + 200, output_tokens: output },
})
