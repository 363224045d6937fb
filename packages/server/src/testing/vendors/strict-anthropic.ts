import {
  type Fields,
  fields,
  firstOf,
  list,
  type StrictVendor,
  sseOf,
  type Thinking,
  trickle,
  turnsComplaint,
  type VendorAnswer,
} from './strict-vendor.ts'

const MODEL = 'claude-opus-4-5'

export const strictAnthropic: StrictVendor = {
  name: "Anthropic's Messages",
  type: 14,
  model: MODEL,
  isStream: (_, { stream }) => stream === true,
  complaint: ({ messages, tools, max_tokens, temperature }, signed) => {
    const turns = list(messages).map(fields)
    return firstOf(
      (typeof max_tokens !== 'number' || max_tokens < 1) && 'max_tokens: field required',
      typeof temperature === 'number' && (temperature < 0 || temperature > 1) && 'temperature: range is 0..1',
      turns.some(({ role }) => role === 'system') &&
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter',
      turnsComplaint(
        turns.map(({ role }) => role),
        ['user', 'assistant'],
      ),
      ...list(tools).map(fields).map(toolComplaint),
      ...turns.flatMap(({ content }) => blocksOf(content).map((block) => blockComplaint(block, signed))),
      ...turns.map((turn, index) => resultsComplaint(turn, turns[index + 1])),
      ...turns.map((turn, index) => strayComplaint(turn, turns[index - 1])),
    )
  },
  whole: (answer) => ({
    ...head,
    content: contentOf(answer),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: { ...inputOf(answer), output_tokens: answer.usage.output },
  }),
  stream: (answer) =>
    sseOf(
      [
        {
          type: 'message_start',
          message: { ...head, content: [], stop_reason: null, usage: { ...inputOf(answer), output_tokens: 1 } },
        },
        { type: 'ping' },
        ...contentOf(answer).flatMap(blockEvents),
        {
          type: 'message_delta',
          delta: { stop_reason: stopReason(answer), stop_sequence: null },
          usage: { output_tokens: answer.usage.output },
        },
        { type: 'message_stop' },
      ],
      true,
    ),
}

const blocksOf = (content: unknown) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(fields)

function toolComplaint({ type = 'custom', name, input_schema }: Fields) {
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return `tools.name: ${String(name)}`
  // A tool that runs at Anthropic has a dated type, and no schema.
  if (type !== 'custom') return /_\d{8}$/.test(String(type)) ? undefined : `tools.type: ${String(type)}`
  const isUnion = ['anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in fields(input_schema))
  if (isUnion) return 'tools.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level'
  return fields(input_schema).type === 'object' ? undefined : 'tools.input_schema.type: must be object'
}

function blockComplaint(block: Fields, signed: Thinking | undefined) {
  if (block.type === 'text') return block.text === '' ? 'text content blocks must be non-empty' : undefined
  if (block.type === 'thinking') {
    const isOurs = block.signature === signed?.signature && block.thinking === signed?.text
    return isOurs ? undefined : 'thinking blocks cannot be modified'
  }
  if (block.type === 'image') {
    const { type, media_type, data } = fields(block.source)
    const isWhole = type === 'base64' && typeof media_type === 'string' && typeof data === 'string'
    return isWhole || type === 'url' ? undefined : 'image.source: invalid'
  }
  if (block.type !== 'tool_use') return undefined
  return /^[a-zA-Z0-9_-]+$/.test(String(block.id)) ? undefined : `tool_use.id: ${String(block.id)}`
}

const idsOf = (content: unknown, type: string, member: string) =>
  blocksOf(content).flatMap((block) => (block.type === type ? [String(block[member])] : []))

/** Every call has its result in the very next message, before everything else. */
function resultsComplaint({ content }: Fields, next: Fields | undefined) {
  const calls = idsOf(content, 'tool_use', 'id')
  if (calls.length === 0 || next === undefined) return undefined
  const results = idsOf(next.content, 'tool_result', 'tool_use_id')
  const missing = calls.filter((id) => !results.includes(id))
  if (missing.length > 0) return `tool_use ids without tool_result blocks immediately after: ${missing.join(', ')}`
  const first = blocksOf(next.content).slice(0, results.length)
  return first.every(({ type }) => type === 'tool_result') ? undefined : 'tool_result blocks must come first'
}

function strayComplaint({ content }: Fields, before: Fields | undefined) {
  const calls = idsOf(before?.content, 'tool_use', 'id')
  const stray = idsOf(content, 'tool_result', 'tool_use_id').filter((id) => !calls.includes(id))
  return stray.length === 0 ? undefined : `unexpected tool_use_id in tool_result blocks: ${stray.join(', ')}`
}

const head = { id: 'msg_strict', type: 'message', role: 'assistant', model: MODEL }

const stopReason = ({ calls = [] }: VendorAnswer) => (calls.length > 0 ? 'tool_use' : 'end_turn')

const inputOf = ({ usage }: VendorAnswer) => ({
  input_tokens: usage.input - usage.cached,
  cache_read_input_tokens: usage.cached,
  cache_creation_input_tokens: 0,
})

const contentOf = ({ thinking, text, calls = [] }: VendorAnswer): Fields[] => [
  ...(thinking === undefined ? [] : [{ type: 'thinking', thinking: thinking.text, signature: thinking.signature }]),
  ...(text === undefined ? [] : [{ type: 'text', text }]),
  ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
]

function blockEvents(block: Fields, index: number): object[] {
  const delta = (own: object) => ({ type: 'content_block_delta', index, delta: own })
  const between = (opening: object, deltas: object[]) => [
    { type: 'content_block_start', index, content_block: opening },
    ...deltas,
    { type: 'content_block_stop', index },
  ]
  if (block.type === 'thinking') {
    const words = trickle(String(block.thinking)).map((thinking) => delta({ type: 'thinking_delta', thinking }))
    const signed = delta({ type: 'signature_delta', signature: block.signature })
    return between({ type: 'thinking', thinking: '', signature: '' }, [...words, signed])
  }
  if (block.type === 'text') {
    const words = trickle(String(block.text)).map((text) => delta({ type: 'text_delta', text }))
    return between({ type: 'text', text: '' }, words)
  }
  const pieces = trickle(JSON.stringify(block.input))
  const args = pieces.map((partial_json) => delta({ type: 'input_json_delta', partial_json }))
  return between({ ...block, input: {} }, args)
}
