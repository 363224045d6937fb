import { ARGS, CALL, kindsIn, TEXT } from './library-kinds.ts'

/* A message of Anthropic's API with every kind of block and citation. */

export const BLOCKS = kindsIn('@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', 'BetaContentBlock')

const CITATIONS = [
  {
    type: 'char_location',
    cited_text: 'x',
    document_index: 0,
    document_title: 'Tides',
    start_char_index: 0,
    end_char_index: 1,
  },
  {
    type: 'page_location',
    cited_text: 'x',
    document_index: 1,
    document_title: null,
    start_page_number: 1,
    end_page_number: 2,
  },
  { type: 'content_block_location', cited_text: 'x', document_index: 0, start_block_index: 0, end_block_index: 1 },
  { type: 'web_search_result_location', cited_text: 'x', url: 'https://a.example', title: 'A', encrypted_index: 'e' },
  { type: 'search_result_location', cited_text: 'x', source: 'https://b.example', title: null, search_result_index: 0 },
]

const block = (type: string): Record<string, unknown> => {
  if (type === 'text') return { type, text: TEXT, citations: CITATIONS }
  if (type === 'thinking') return { type, thinking: 'The tide.', signature: 'sig' }
  if (type === 'redacted_thinking') return { type, data: 'hidden' }
  if (type === 'tool_use') return { type, id: 'toolu_1', name: CALL.name, input: ARGS }
  return {
    type,
    id: 'srvtoolu_1',
    tool_use_id: 'srvtoolu_1',
    name: 'tool',
    input: { query: 'tide' },
    content: [],
    tools: [],
  }
}

/** Calls come last. */
const MESSAGE = [...BLOCKS.filter((kind) => kind !== 'tool_use'), 'tool_use'].map(block)

const messageUsage = {
  ...{ input_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 6, output_tokens: 9 },
  ...{
    cache_creation: null,
    server_tool_use: { web_search_requests: 1 },
    service_tier: null,
    output_tokens_details: null,
  },
}

const message = (content: object[]) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_sequence: null, container: null },
})

export const messagesAnswer = {
  whole: { ...message(MESSAGE), stop_reason: 'tool_use', usage: messageUsage },
  events: messageEvents(),
}

function messageEvents() {
  const events = MESSAGE.flatMap((own, index) => {
    const deltas = deltasOf(own).map((delta) => ({ type: 'content_block_delta', index, delta }))
    return [
      { type: 'content_block_start', index, content_block: opened(own) },
      ...deltas,
      { type: 'content_block_stop', index },
    ]
  })
  const start = { ...message([]), stop_reason: null, usage: { ...messageUsage, output_tokens: 1 } }
  return [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...events,
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: messageUsage },
    { type: 'message_stop' },
  ]
}

function opened(own: Record<string, unknown>) {
  if (own.type === 'text') return { type: 'text', text: '' }
  if (own.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return own.type === 'tool_use' ? { ...own, input: {} } : own
}

function deltasOf(own: Record<string, unknown>): object[] {
  if (own.type === 'text') {
    const texts = [...TEXT].map((text) => ({ type: 'text_delta', text }))
    return [...texts, ...CITATIONS.map((citation) => ({ type: 'citations_delta', citation }))]
  }
  if (own.type === 'thinking') {
    return [
      { type: 'thinking_delta', thinking: 'The tide.' },
      { type: 'signature_delta', signature: 'sig' },
    ]
  }
  if (own.type === 'compaction') return [{ type: 'compaction_delta', content: 'A summary', encrypted_content: null }]
  const json = JSON.stringify(ARGS)
  return own.type === 'tool_use'
    ? [json.slice(0, 7), json.slice(7)].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    : []
}
