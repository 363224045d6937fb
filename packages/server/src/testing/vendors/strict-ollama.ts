import { type Fields, fields, firstOf, list, type StrictVendor, trickle, type VendorAnswer } from './strict-vendor.ts'

const MODEL = 'qwen3:8b'

/** Ollama's `/api/chat`: JSON lines, calls in one piece with an object of arguments. */
export const strictOllama: StrictVendor = {
  name: 'Ollama',
  type: 30,
  model: MODEL,
  isStream: (_, { stream = true }) => stream === true,
  complaint({ messages, tools, think, options }) {
    const all = list(messages).map(fields)
    const { num_predict } = fields(options)
    return firstOf(
      all.length === 0 && 'messages are missing',
      typeof think === 'string' && `think value "${think}" is not supported for this model`,
      num_predict !== undefined && !Number.isInteger(num_predict) && 'option "num_predict" must be of type integer',
      ...all.map(messageComplaint),
      all.slice(1).some(({ role }) => role === 'system') && 'system message must be at the beginning',
      ...list(tools).map(toolComplaint),
    )
  },
  whole: (answer) => ({ ...line(messageOf(answer)), ...ending(answer) }),
  stream(answer) {
    const { thinking, text = '', calls = [] } = answer
    const lines = [
      ...trickle(thinking?.text ?? '').map((thought) => line({ thinking: thought })),
      ...trickle(text).map((content) => line({ content })),
      ...calls.map((call) => line({ tool_calls: callsOf({ ...answer, calls: [call] }) })),
      { ...line({}), ...ending(answer) },
    ]
    const bytes = new TextEncoder().encode(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
    return { type: 'application/x-ndjson', bytes }
  },
}

const ROLES = ['system', 'user', 'assistant', 'tool']

/** As its server decodes them: a text is a string, images are data without a prefix. */
function messageComplaint({ role, content, images, tool_calls, tool_name, thinking }: Fields) {
  if (!ROLES.includes(String(role))) return `invalid role: ${String(role)}`
  if (typeof content !== 'string') return 'json: cannot unmarshal into field Message.content of type string'
  if (thinking !== undefined && typeof thinking !== 'string') return 'json: Message.thinking of type string'
  if (role === 'tool' && typeof tool_name !== 'string') return 'the result of a tool has no tool_name'
  if (list(images).some((image) => !/^[A-Za-z0-9+/]+=*$/.test(String(image)))) return 'illegal base64 data'
  const isWhole = (call: unknown) => {
    const { name, arguments: args } = fields(fields(call).function)
    return typeof name === 'string' && typeof args === 'object' && args !== null
  }
  return list(tool_calls).every(isWhole) ? undefined : 'json: ToolCallFunction.arguments of type object'
}

function toolComplaint(tool: unknown) {
  const { type, function: own } = fields(tool)
  const { name, parameters } = fields(own)
  if (type !== 'function' || typeof name !== 'string') return 'json: cannot unmarshal into field Tools'
  return fields(parameters).type === 'object' ? undefined : 'json: ToolFunctionParameters.type'
}

const line = (message: Fields) => ({
  ...{ model: MODEL, created_at: new Date().toISOString(), done: false },
  message: { role: 'assistant', content: '', ...message },
})

const messageOf = (answer: VendorAnswer): Fields => ({
  content: answer.text ?? '',
  ...(answer.thinking === undefined ? {} : { thinking: answer.thinking.text }),
  ...(answer.calls === undefined ? {} : { tool_calls: callsOf(answer) }),
})

const callsOf = ({ calls = [] }: VendorAnswer) =>
  calls.map(({ id, name, args }) => ({ id, function: { name, arguments: args } }))

const ending = ({ usage }: VendorAnswer) => ({
  ...{ done: true, done_reason: 'stop', total_duration: 1, load_duration: 1 },
  ...{ prompt_eval_count: usage.input, eval_count: usage.output },
})
