import {
  type Fields,
  fields,
  firstOf,
  list,
  type StrictVendor,
  sseOf,
  type Thinking,
  trickle,
  type VendorAnswer,
} from './strict-vendor.ts'

const MODEL = 'gpt-5.1-codex'

/** OpenAI, with a model that it offers only through Responses. */
export const strictResponses: StrictVendor = {
  name: "OpenAI's Responses",
  type: 1,
  model: MODEL,
  isStream: (_, { stream }) => stream === true,
  complaint({ input, messages, tools, include, store }, signed) {
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : list(input).map(fields)
    const keepsReasoning = list(include).includes('reasoning.encrypted_content')
    return firstOf(
      messages !== undefined && "Unsupported parameter: 'messages'. In the Responses API, it moved to 'input'.",
      items.length === 0 && "Missing required parameter: 'input'.",
      signed !== undefined && store === false && !keepsReasoning && 'reasoning would be lost: it is not included',
      ...items.map((item) => itemComplaint(item, signed)),
      ...items.map((item, index) => pairComplaint(item, items, index)),
      ...list(tools).map((tool) => toolComplaint(fields(tool))),
    )
  },
  whole: (answer) => responseOf(answer, 'completed'),
  stream(answer) {
    const events = [
      { type: 'response.created', response: { ...responseOf(answer, 'in_progress'), output: [], usage: null } },
      ...itemsOf(answer).flatMap(itemEvents),
      { type: 'response.completed', response: responseOf(answer, 'completed') },
    ]
    return sseOf(
      events.map((event, sequence_number) => ({ ...event, sequence_number })),
      true,
    )
  },
}

const KINDS = new Set(
  'message reasoning function_call function_call_output custom_tool_call custom_tool_call_output item_reference'.split(
    ' ',
  ),
)
/** The ids of its own items, which may be referenced instead of sent. */
const GIVEN = /^(rs_strict|msg_strict|fc_\d)$/
const SAID_TO_IT = ['input_text', 'input_image', 'input_file']
const SAID_BY_IT = ['output_text', 'refusal']

function itemComplaint(item: Fields, signed: Thinking | undefined) {
  const { type = 'message', role, content, call_id, arguments: args, encrypted_content, summary } = item
  if (!KINDS.has(String(type))) return `Invalid value: '${String(type)}' for input.type`
  if (type === 'reasoning') {
    if (!Array.isArray(summary)) return "Missing required parameter: 'input.summary'"
    return encrypted_content === signed?.signature ? undefined : 'The encrypted content could not be verified.'
  }
  if (type === 'item_reference') return GIVEN.test(String(item.id)) ? undefined : `Item '${String(item.id)}' not found.`
  if (type === 'function_call') return argumentsComplaint(args)
  if (type !== 'message') return typeof call_id === 'string' ? undefined : "Missing required parameter: 'call_id'"
  const taken = role === 'assistant' ? SAID_BY_IT : SAID_TO_IT
  const strange = list(content)
    .map((part) => String(fields(part).type))
    .find((kind) => !taken.includes(kind))
  return strange === undefined ? undefined : `Invalid value: '${strange}' in a message of ${String(role)}`
}

function argumentsComplaint(args: unknown) {
  try {
    return typeof JSON.parse(String(args)) === 'object' ? undefined : 'arguments: not an object'
  } catch {
    return 'arguments: not JSON'
  }
}

const CALLS = new Set<unknown>(['function_call', 'custom_tool_call'])
const OUTPUTS = new Set<unknown>(['function_call_output', 'custom_tool_call_output'])

/** Every call has its output, every output its call, and reasoning is followed by something. */
function pairComplaint({ type, call_id }: Fields, items: readonly Fields[], index: number) {
  const has = (kinds: Set<unknown>) => items.some((item) => kinds.has(item.type) && item.call_id === call_id)
  if (CALLS.has(type)) return has(OUTPUTS) ? undefined : `No tool output found for function call ${String(call_id)}.`
  const isNamed = items.some(({ id }) => /^fc_\d$/.test(String(id)))
  if (OUTPUTS.has(type)) return has(CALLS) || isNamed ? undefined : `No tool call found for output ${String(call_id)}.`
  const isLast = type === 'reasoning' && items[index + 1] === undefined
  return isLast ? "Item of type 'reasoning' was provided without its required following item." : undefined
}

const KNOWN_TOOLS = new Set(
  'function custom namespace web_search web_search_preview image_generation file_search local_shell shell tool_search'.split(
    ' ',
  ),
)

function toolComplaint({ type, name, parameters }: Fields) {
  if (!KNOWN_TOOLS.has(String(type))) return `Invalid value: '${String(type)}' for tools.type`
  if (type !== 'function') return undefined
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return `tools.name: ${String(name)}`
  const refused = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'].some((keyword) => keyword in fields(parameters))
  return fields(parameters).type === 'object' && !refused ? undefined : `Invalid schema for function '${name}'`
}

function responseOf(answer: VendorAnswer, status: string) {
  const { input, cached, output, thought } = answer.usage
  return {
    ...{ id: 'resp_strict', object: 'response', created_at: 1_767_225_600, model: MODEL, status, error: null },
    ...{ incomplete_details: null, instructions: null, metadata: {}, parallel_tool_calls: true, temperature: 1 },
    ...{ tool_choice: 'auto', tools: [], top_p: 1, store: false },
    output: itemsOf(answer),
    usage: {
      ...{ input_tokens: input, input_tokens_details: { cached_tokens: cached } },
      ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: thought }, total_tokens: input + output },
    },
  }
}

const itemsOf = ({ thinking, text, calls = [] }: VendorAnswer): Fields[] => [
  ...(thinking === undefined ? [] : [reasoningOf(thinking)]),
  ...(text === undefined ? [] : [messageOf(text)]),
  ...calls.map(({ id, name, args }, index) => ({
    ...{ id: `fc_${index}`, type: 'function_call', status: 'completed', call_id: id, name },
    arguments: JSON.stringify(args),
  })),
]

const reasoningOf = ({ text, signature }: Thinking) => ({
  ...{ id: 'rs_strict', type: 'reasoning', encrypted_content: signature },
  summary: [{ type: 'summary_text', text }],
})

const messageOf = (text: string) => ({
  ...{ id: 'msg_strict', type: 'message', status: 'completed', role: 'assistant' },
  content: [{ type: 'output_text', text, annotations: [] }],
})

function itemEvents(item: Fields, output_index: number): Fields[] {
  const at = { output_index, item_id: item.id }
  const opened = { ...item, status: 'in_progress' }
  const between = (opening: Fields, events: Fields[]) => [
    { type: 'response.output_item.added', output_index, item: opening },
    ...events,
    { type: 'response.output_item.done', output_index, item },
  ]
  if (item.type === 'function_call') {
    const kind = 'response.function_call_arguments'
    const pieces = trickle(String(item.arguments)).map((delta) => ({ type: `${kind}.delta`, ...at, delta }))
    const done = { type: `${kind}.done`, ...at, arguments: item.arguments }
    return between({ ...opened, arguments: '' }, [...pieces, done])
  }
  const isMessage = item.type === 'message'
  const part = fields(list(isMessage ? item.content : item.summary)[0])
  const [kind, own] = isMessage
    ? ['response.output_text', { ...at, content_index: 0 }]
    : ['response.reasoning_summary_text', { ...at, summary_index: 0 }]
  const place = isMessage ? 'response.content_part' : 'response.reasoning_summary_part'
  const words = trickle(String(part.text)).map((delta) => ({ type: `${kind}.delta`, ...own, delta }))
  return between({ ...opened, [isMessage ? 'content' : 'summary']: [] }, [
    { type: `${place}.added`, ...own, part: { ...part, text: '' } },
    ...words,
    { type: `${kind}.done`, ...own, text: part.text },
    { type: `${place}.done`, ...own, part },
  ])
}
