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

const OUTPUT_MAX = 2048

/** Baidu's Wenxin workshop: an odd number of strictly alternating messages, one call at a time, results by name. */
export const strictBaidu: StrictVendor = {
  name: "Baidu's Wenxin",
  type: 15,
  model: 'ERNIE-4.0-8K',
  calls: 'one',
  beside: (path) =>
    path === '/oauth/2.0/token' ? Response.json({ access_token: 'a-token', expires_in: 2_592_000 }) : undefined,
  isStream: (_, { stream }) => stream === true,
  complaint(body) {
    const { messages, functions, temperature, top_p, penalty_score, max_output_tokens, user_id } = body
    const all = list(messages).map(fields)
    const within = (value: unknown, min: number, max: number) =>
      value === undefined || (typeof value === 'number' && value >= min && value <= max)
    return firstOf(
      'model' in body && 'the parameter model is not expected',
      all.length % 2 === 0 && 'the length of messages must be an odd number',
      !(within(temperature, 0, 1) && temperature !== 0) && 'temperature: range is (0, 1.0]',
      !within(top_p, 0, 1) && 'top_p: range is [0, 1.0]',
      !within(penalty_score, 1, 2) && 'penalty_score: range is [1.0, 2.0]',
      !within(max_output_tokens, 2, OUTPUT_MAX) && `max_output_tokens: range is [2, ${OUTPUT_MAX}]`,
      typeof user_id === 'string' && user_id.length > 64 && 'user_id is too long',
      ...all.map(messageComplaint),
      ...list(functions).map(functionComplaint),
    )
  },
  whole: (answer) => ({ ...head, ...endOf(answer), result: answer.text ?? '', ...callOf(answer) }),
  stream: (answer) =>
    sseOf([
      ...trickle(answer.text ?? '').map((result, sentence_id) => ({ ...head, sentence_id, is_end: false, result })),
      { ...head, ...endOf(answer), sentence_id: 99, is_end: true, result: '', ...callOf(answer) },
    ]),
}

/** At odd positions a question or the result of a function, at even ones an answer. */
function messageComplaint({ role, content, name, function_call }: Fields, index: number) {
  const asked = role === 'user' || role === 'function'
  if (index % 2 === 0 ? !asked : role !== 'assistant') return `the role of message ${index} cannot be ${String(role)}`
  if (role === 'function' && (typeof name !== 'string' || name === '')) return 'a function has no name'
  if (role === 'assistant' && function_call !== undefined) {
    const { name: called, arguments: args } = fields(function_call)
    return typeof called === 'string' && typeof args === 'string' ? undefined : 'function_call is not complete'
  }
  return typeof content === 'string' && content !== '' ? undefined : `the content of message ${index} is empty`
}

function functionComplaint(own: unknown) {
  const { name, description, parameters } = fields(own)
  if (!/^[\w-]{1,64}$/.test(String(name))) return `functions.name: ${String(name)}`
  if (typeof description !== 'string' || description === '') return 'functions.description is missing'
  const { type, properties } = fields(parameters)
  return type === 'object' && properties !== undefined ? undefined : 'functions.parameters is not a schema'
}

const head = { id: 'as-strict', object: 'chat.completion', created: 1_767_225_600, need_clear_history: false }

const endOf = ({ usage: { input, output }, calls = [] }: VendorAnswer) => ({
  is_truncated: false,
  finish_reason: calls.length > 0 ? 'function_call' : 'normal',
  usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
})

function callOf({ calls: [call] = [] }: VendorAnswer) {
  if (call === undefined) return {}
  return { function_call: { name: call.name, thoughts: 'A tool.', arguments: JSON.stringify(call.args) } }
}
