import { type Fields, isFields } from '@tollgate/providers'

/**
 * A whole answer as the requested stream; undefined for operations without one. Some models do not stream, whatever is requested,
 * and a client that waits for events would see none.
 */
export const responseAsStream = (operation: string, body: Fields): string | undefined => STREAMS.get(operation)?.(body)

const STREAMS = new Map<string, (body: Fields) => string | undefined>([
  ['chat/completions', chatStream],
  ['responses', responseStream],
  ['messages', messageStream],
  // A chunk has the form of the whole.
  ['streamGenerateContent', (body) => unnamed(body)],
])

const unnamed = (body: Fields) => `data: ${JSON.stringify(body)}\n\n`
const named = (body: Fields & { type: string }) => `event: ${body.type}\n${unnamed(body)}`

function chatStream({ usage, choices, ...rest }: Fields) {
  const common = { ...rest, object: 'chat.completion.chunk' }
  const deltas = listOf(choices).map(({ message, ...choice }) => ({ ...choice, delta: deltaOf(message) }))
  const content = unnamed({ ...common, choices: deltas })
  const used = usage === undefined ? '' : unnamed({ ...common, choices: [], usage })
  return `${content}${used}data: [DONE]\n\n`
}

/** In streams tool calls have an index, by which their deltas are joined. */
function deltaOf(message: unknown): Fields {
  const fields = isFields(message) ? message : {}
  const calls = listOf(fields.tool_calls).map((call, index) => ({ index, ...call }))
  return calls.length === 0 ? fields : { ...fields, tool_calls: calls }
}

function messageStream(message: Fields) {
  const { content, stop_reason, stop_sequence = null, usage } = message
  const start = { ...message, content: [], stop_reason: null, stop_sequence: null }
  const blocks = listOf(content).flatMap((block, index) => {
    const { opened, deltas } = openedBlock(block)
    return [
      { type: 'content_block_start', index, content_block: opened },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  })
  const events = [
    { type: 'message_start', message: start },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ]
  return events.map(named).join('')
}

/** A block as it begins, and what fills it. Blocks of other types come whole, as Anthropic sends them. */
function openedBlock(block: Fields): { opened: Fields; deltas: Fields[] } {
  const { type, text, thinking, signature, input } = block
  if (type === 'text') return { opened: { ...block, text: '' }, deltas: [{ type: 'text_delta', text }] }
  if (type === 'tool_use') {
    const partial_json = JSON.stringify(input ?? {})
    return { opened: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json }] }
  }
  if (type !== 'thinking') return { opened: block, deltas: [] }
  const deltas = [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature },
  ]
  return { opened: { ...block, thinking: '', signature: '' }, deltas }
}

/** One in the background is not complete yet, and is fetched later. */
function responseStream(response: Fields) {
  const { status, output } = response
  if (status !== 'completed' && status !== 'incomplete') return undefined
  const start = { ...response, status: 'in_progress', output: [], usage: null }
  const items = listOf(output).flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item: { ...item, ...openedItem(item) } },
    ...textEvents(item, output_index),
    { type: 'response.output_item.done', output_index, item },
  ])
  const events = [{ type: 'response.created', response: start }, ...items, { type: `response.${status}`, response }]
  return events.map((event, sequence_number) => named({ ...event, sequence_number })).join('')
}

const openedItem = ({ type }: Fields) => (type === 'message' ? { content: [], status: 'in_progress' } : {})

/** The texts of a message, which clients show while they arrive. */
function textEvents({ type, id, content }: Fields, output_index: number): (Fields & { type: string })[] {
  if (type !== 'message') return []
  return listOf(content).flatMap((part, content_index) => {
    const place = { item_id: id, output_index, content_index }
    const { text, logprobs = [] } = part
    const added = {
      ...place,
      type: 'response.content_part.added',
      part: { ...part, ...(text === undefined ? {} : { text: '' }) },
    }
    const deltas =
      text === undefined
        ? []
        : [
            { ...place, type: 'response.output_text.delta', delta: text, logprobs },
            { ...place, type: 'response.output_text.done', text, logprobs },
          ]
    return [added, ...deltas, { ...place, type: 'response.content_part.done', part }]
  })
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])
