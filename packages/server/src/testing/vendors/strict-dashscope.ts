import { type Fields, fields, firstOf, list, type StrictVendor, trickle, type VendorAnswer } from './strict-vendor.ts'

/** Qwen in DashScope's own format: messages in `input`, settings in `parameters`, streaming by a header. */
export const strictDashScope: StrictVendor = {
  name: "Qwen's DashScope",
  type: 17,
  model: 'qwen-plus',
  isStream: (_, _body, headers) => headers.get('x-dashscope-sse') === 'enable',
  complaint({ input, parameters, messages }) {
    const all = list(fields(input).messages).map(fields)
    const given = fields(parameters)
    const { temperature, top_p, top_k, tools, result_format, stop } = given
    return firstOf(
      messages !== undefined && 'Input should contain the messages',
      all.length === 0 && 'Required parameter(s) missing or invalid: input.messages',
      list(tools).length > 0 && result_format !== 'message' && 'result_format must be "message" with tools',
      typeof temperature === 'number' && !(temperature >= 0 && temperature < 2) && 'temperature: range is [0, 2)',
      typeof top_p === 'number' && !(top_p > 0 && top_p < 1) && 'top_p: range is (0, 1)',
      typeof top_k === 'number' && top_k < 0 && 'top_k: must be at least 0',
      stop !== undefined && !Array.isArray(stop) && 'stop: must be a list',
      ...all.map(messageComplaint),
      ...all.map((message, index) => answersComplaint(message, all.slice(index + 1))),
      ...list(tools).map(toolComplaint),
    )
  },
  whole: (answer) => piece(messageOf(answer), finishOf(answer), answer),
  stream(answer) {
    const { thinking, text = '', calls = [] } = answer
    const pieces = [
      ...trickle(thinking?.text ?? '').map((reasoning_content) => piece({ content: '', reasoning_content })),
      ...trickle(text).map((content) => piece({ content })),
      ...calls.flatMap(({ id, name, args }, index) => [
        piece({ content: '', tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...trickle(JSON.stringify(args)).map((part) =>
          piece({ content: '', tool_calls: [{ index, id: '', type: 'function', function: { arguments: part } }] }),
        ),
      ]),
      piece({ content: '' }, finishOf(answer), answer),
    ]
    const events = pieces.map(
      (one, index) => `id:${index + 1}\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify(one)}\n\n`,
    )
    return { type: 'text/event-stream', bytes: new TextEncoder().encode(events.join('')) }
  },
}

const ROLES = ['system', 'user', 'assistant', 'tool']

function messageComplaint({ role, content, tool_call_id, tool_calls }: Fields) {
  if (!ROLES.includes(String(role))) return `${String(role)} is not one of ${ROLES.join(', ')}`
  if (typeof content !== 'string') return 'url error, please check url: this model takes text'
  if (role === 'user' && content === '') return 'The content field is a required field'
  if (role === 'tool' && typeof tool_call_id !== 'string') return 'tool_call_id is missing'
  const isWhole = (call: unknown) => typeof fields(fields(call).function).arguments === 'string'
  return list(tool_calls).every(isWhole) ? undefined : 'function.arguments must be in JSON format'
}

function answersComplaint({ tool_calls }: Fields, rest: readonly Fields[]) {
  const calls = list(tool_calls).map((call) => fields(call).id)
  const answers = rest.slice(0, calls.length).map(({ tool_call_id }) => tool_call_id)
  return calls.every((id) => answers.includes(id))
    ? undefined
    : 'An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id"'
}

function toolComplaint(tool: unknown) {
  const { type, function: own } = fields(tool)
  const { name, parameters } = fields(own)
  if (type !== 'function' || !/^[\w-]{1,64}$/.test(String(name))) return `tools.name: ${String(name)}`
  return fields(parameters).type === 'object' ? undefined : 'tools.function.parameters: not a JSON schema'
}

const finishOf = ({ calls = [] }: VendorAnswer) => (calls.length > 0 ? 'tool_calls' : 'stop')

const piece = (message: Fields, finish_reason = 'null', ended?: VendorAnswer) => ({
  output: { choices: [{ message: { role: 'assistant', ...message }, finish_reason }] },
  request_id: 'strict',
  ...(ended === undefined ? {} : { usage: usageOf(ended) }),
})

const usageOf = ({ usage: { input, output, cached, thought } }: VendorAnswer) => ({
  ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
  prompt_tokens_details: { cached_tokens: cached },
  output_tokens_details: { reasoning_tokens: thought },
})

const messageOf = ({ thinking, text = '', calls = [] }: VendorAnswer): Fields => ({
  content: text,
  ...(thinking === undefined ? {} : { reasoning_content: thinking.text }),
  ...(calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ id, name, args }, index) => ({
          ...{ index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
        })),
      }),
})
