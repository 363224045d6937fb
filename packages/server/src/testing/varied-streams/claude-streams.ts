import { NONE, named, TWO, text, type VariedStream } from './varied-stream.ts'

export const CLAUDE = { type: 14, model: 'claude' }

const message = (...events: { type: string; [member: string]: unknown }[]) =>
  text(
    named(
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 12, output_tokens: 1 },
        },
      },
      ...events,
      { type: 'message_stop' },
    ),
  )
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const closes = (stop_reason: string) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage: { output_tokens: 7 },
})
const says = (index: number, words: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: words })
const thinks = (index: number, words: string, signature = 'c2ln') =>
  block(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: words },
    { type: 'signature_delta', signature },
  )
const uses = (index: number, id: string, name: string, ...json: string[]) =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...json.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  )

export const CLAUDE_STREAMS: Record<string, VariedStream> = {
  'thinking between two uses of tools': {
    ...CLAUDE,
    answer: message(
      ...thinks(0, 'The moon'),
      ...uses(1, 'toolu_a', 'tide', '{"port":', '"Kiel"}'),
      ...thinks(2, ' again', 'c2lnMg=='),
      ...uses(3, 'toolu_b', 'tide', '{"port":"Brest"}'),
      closes('tool_use'),
    ),
    expected: { thinking: 'The moon again', calls: TWO, finish: 'tool_calls' },
  },
  'redacted thinking': {
    ...CLAUDE,
    answer: message(
      ...block(0, { type: 'redacted_thinking', data: 'b3BhcXVl' }),
      ...says(1, 'Tide'),
      closes('end_turn'),
    ),
    expected: { text: 'Tide' },
  },
  'a tool without input': {
    ...CLAUDE,
    answer: message(...uses(0, 'toolu_a', 'now', ''), closes('tool_use')),
    expected: { calls: NONE, finish: 'tool_calls' },
  },
  'pings and unknown events': {
    ...CLAUDE,
    answer: message(
      { type: 'ping' },
      ...says(0, 'Ti'),
      { type: 'ping' },
      { type: 'brand_new', anything: 1 },
      ...block(1, { type: 'brand_new_block', x: 1 }, { type: 'brand_new_delta', y: 2 }),
      ...says(2, 'de'),
      closes('end_turn'),
    ),
    expected: { text: 'Tide' },
  },
  'a refusal of Claude after some words': {
    ...CLAUDE,
    answer: message(...says(0, 'Ti'), closes('refusal')),
    expected: { text: 'Ti', finish: 'content_filter' },
  },
  'a web search at Anthropic': {
    ...CLAUDE,
    answer: message(
      ...block(
        0,
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
        { type: 'input_json_delta', partial_json: '{"query":"tide"}' },
      ),
      ...block(1, {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'x' }],
      }),
      ...block(
        2,
        { type: 'text', text: '', citations: [] },
        { type: 'text_delta', text: 'Tide' },
        {
          type: 'citations_delta',
          citation: {
            type: 'web_search_result_location',
            url: 'https://a.example',
            title: 'A',
            cited_text: 'tide',
            encrypted_index: 'e',
          },
        },
      ),
      closes('end_turn'),
    ),
    expected: { text: 'Tide' },
  },
  'cached input': {
    ...CLAUDE,
    answer: text(
      named(
        {
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [],
            usage: { input_tokens: 2, cache_read_input_tokens: 6, cache_creation_input_tokens: 4, output_tokens: 1 },
          },
        },
        ...says(0, 'Tide'),
        closes('end_turn'),
        { type: 'message_stop' },
      ),
    ),
    expected: { text: 'Tide' },
  },
  'a host that leaves out what is empty': {
    ...CLAUDE,
    answer: text(
      named(
        { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm' } },
        ...block(0, { type: 'thinking' }, { type: 'thinking_delta', thinking: 'The moon' }),
        ...block(1, { type: 'text' }, { type: 'text_delta', text: 'Tide' }),
        ...block(2, { type: 'tool_use', id: 'toolu_a', name: 'now' }),
        { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null } },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { input_tokens: 12, output_tokens: 7 } },
        { type: 'message_stop' },
      ),
    ),
    expected: { thinking: 'The moon', text: 'Tide', calls: NONE, finish: 'tool_calls' },
  },
}
