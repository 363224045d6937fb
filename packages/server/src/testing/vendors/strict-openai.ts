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

const MODEL = 'deepseek-reasoner'

/** An OpenAI-compatible vendor whose models show their reasoning. */
export const strictOpenAi: StrictVendor = {
  name: "OpenAI's chat completions",
  type: 36,
  model: MODEL,
  isStream: (_, { stream }) => stream === true,
  complaint({ messages, tools }) {
    const all = list(messages).map(fields)
    return firstOf(
      all.length === 0 && 'messages: too short',
      ...all.map(messageComplaint),
      ...all.map((message, index) => answersComplaint(message, all.slice(index + 1))),
      ...all.map((message, index) => strayComplaint(message, all.slice(0, index))),
      ...list(tools).map(toolComplaint),
    )
  },
  whole: (answer) => ({
    ...head('chat.completion'),
    choices: [{ index: 0, message: messageOf(answer), finish_reason: finishOf(answer), logprobs: null }],
    usage: usageOf(answer),
  }),
  stream(answer) {
    const { thinking, text = '', calls = [] } = answer
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...head('chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    })
    return sseOf([
      chunk({ role: 'assistant', content: '' }),
      ...trickle(thinking?.text ?? '').map((reasoning_content) => chunk({ reasoning_content, content: null })),
      ...trickle(text).map((content) => chunk({ content })),
      ...calls.flatMap(({ id, name, args }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...trickle(JSON.stringify(args)).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, finishOf(answer)),
      { ...head('chat.completion.chunk'), choices: [], usage: usageOf(answer) },
      '[DONE]',
    ])
  },
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool']
const KINDS = ['text', 'image_url', 'input_audio', 'file', 'refusal']

function messageComplaint({ role, content, tool_calls }: Fields) {
  if (!ROLES.includes(String(role))) return `messages.role: ${String(role)}`
  const kind = list(content)
    .map((part) => String(fields(part).type))
    .find((type) => !KINDS.includes(type))
  if (kind !== undefined) return `messages.content.type: ${kind}`
  const inText = list(content).every((part) => fields(part).type === 'text')
  if (role === 'tool' && !inText) return 'messages.content: a tool answers in text'
  if (role !== 'assistant' && content === null) return 'messages.content: null'
  return list(tool_calls)
    .map(callComplaint)
    .find((complaint) => complaint !== undefined)
}

function callComplaint(call: unknown) {
  const args = fields(fields(call).function).arguments
  try {
    return typeof JSON.parse(String(args)) === 'object' ? undefined : 'tool_calls.function.arguments: not an object'
  } catch {
    return 'tool_calls.function.arguments: not JSON'
  }
}

function toolComplaint(tool: unknown) {
  const { type, function: own } = fields(tool)
  if (type !== 'function') return `tools.type: ${String(type)}`
  // A function without parameters may leave them out.
  const { parameters = { type: 'object' } } = fields(own)
  return fields(parameters).type === 'object' ? undefined : 'tools.function.parameters: not an object'
}

/** All results directly follow their calls. */
function answersComplaint({ tool_calls }: Fields, rest: readonly Fields[]) {
  const calls = list(tool_calls).map((call) => fields(call).id)
  const answers = rest
    .slice(0, calls.length)
    .map(({ role, tool_call_id }) => (role === 'tool' ? tool_call_id : undefined))
  const missing = rest.length === 0 ? [] : calls.filter((id) => !answers.includes(id))
  return missing.length === 0 ? undefined : `tool_call_ids without response messages: ${missing.join(', ')}`
}

function strayComplaint({ role, tool_call_id }: Fields, before: readonly Fields[]) {
  if (role !== 'tool') return undefined
  const turn = before.findLast((message) => message.role !== 'tool')
  return list(turn?.tool_calls).some((call) => fields(call).id === tool_call_id)
    ? undefined
    : "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
}

const head = (object: string) => ({ id: 'strict', object, created: 1_767_225_600, model: MODEL })

const finishOf = ({ calls = [] }: VendorAnswer) => (calls.length > 0 ? 'tool_calls' : 'stop')

const messageOf = ({ thinking, text, calls = [] }: VendorAnswer) => ({
  role: 'assistant',
  content: text ?? null,
  ...(thinking === undefined ? {} : { reasoning_content: thinking.text }),
  ...(calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ id, name, args }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        })),
      }),
})

const usageOf = ({ usage: { input, cached, output, thought } }: VendorAnswer) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: thought },
})
