import { expect, setDefaultTimeout, test } from 'bun:test'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { amazonStream, packed } from '../../testing/amazon-stream.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { type ReadAnswer, STREAM_READERS, WHOLE_READERS } from '../../testing/surface-readers.ts'

// One server answers some hundreds of calls, possibly on a busy machine.
setDefaultTimeout(120_000)

/* Answers of the kinds that vendors send, in the words of every dialect: the same text, calls, thoughts, end and tokens for every caller. */

interface Case {
  /** The channel: its type, and the model that decides how it is called. */
  type: number
  model: string
  answer(): Response
  expected: Partial<ReadAnswer>
}

const SSE = { headers: { 'content-type': 'text/event-stream' } }
const data = (body: object) => `data: ${JSON.stringify(body)}\n\n`
const DONE = 'data: [DONE]\n\n'
const named = (...bodies: { type: string; [member: string]: unknown }[]) =>
  bodies.map((body) => `event: ${body.type}\n${data(body)}`).join('')

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  data({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  })
const USED = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
const usage = data({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: USED })
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id, type: 'function' }),
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
})
const calls = (...tool_calls: object[]) => chunk({ tool_calls })
const text =
  (frames: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(frames, { headers: { 'content-type': 'text/event-stream', ...headers } })
/** In pieces of so many bytes. */
const pieces = (frames: string, size: number) => () => {
  const bytes = new TextEncoder().encode(frames)
  async function* parts() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return new Response(parts() as unknown as BodyInit, SSE)
}
const packedBody = (encoding: string, pack: (text: string) => Uint8Array) => () =>
  new Response(Uint8Array.from(pack(chunk({ content: 'Tide' }) + chunk({}, 'stop') + usage + DONE)), {
    headers: { 'content-type': 'text/event-stream', 'content-encoding': encoding },
  })

const CHAT = { type: 8, model: 'chat' }
const MISTRAL = { type: 28, model: 'mistral' }
const CLAUDE = { type: 14, model: 'claude' }
const GEMINI = { type: 24, model: 'gemini' }
const CODEX = { type: 1, model: 'gpt-5.1-codex' }
const NOVA = { type: 33, model: 'amazon.nova-pro-v1:0' }

const TWO = [
  { name: 'tide', args: { port: 'Kiel' } },
  { name: 'tide', args: { port: 'Brest' } },
]
const NONE = [{ name: 'now', args: {} }]

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

const COUNTED = { promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 }
const piece = (parts: object[], more: object = {}, counted: object | undefined = COUNTED) =>
  data({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
    ...(counted && { usageMetadata: counted }),
    modelVersion: 'm',
    responseId: 'r',
  })

const response = (status: string, output: object[], more: object = {}) => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status, output },
  usage: { input_tokens: 12, output_tokens: 7, total_tokens: 19 },
  ...more,
})
const responds = (
  events: { type: string; [member: string]: unknown }[],
  output: object[],
  status = 'completed',
  more: object = {},
) =>
  text(
    named({ type: 'response.created', response: { ...response('in_progress', []), usage: null } }, ...events, {
      type: `response.${status}`,
      response: response(status, output, more),
    }),
  )
const item = (words: string) => ({
  ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: words, annotations: [] }],
})
const spoken = (words: string, output_index = 0) => [
  {
    type: 'response.output_item.added',
    output_index,
    item: { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] },
  },
  {
    type: 'response.content_part.added',
    item_id: 'msg_1',
    output_index,
    content_index: 0,
    part: { type: 'output_text', text: '', annotations: [] },
  },
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index, content_index: 0, delta: words },
  { type: 'response.output_item.done', output_index, item: item(words) },
]

const CASES: Record<string, Case> = {
  'parallel calls with interleaved arguments': {
    ...CHAT,
    answer: text(
      calls(call(0, 'a', 'tide', '')) +
        calls(call(1, 'b', 'tide', '')) +
        calls(call(0, undefined, undefined, '{"port":')) +
        calls(call(1, undefined, undefined, '{"port":"Br')) +
        calls(call(0, undefined, undefined, '"Kiel"}'), call(1, undefined, undefined, 'est"}')) +
        chunk({}, 'tool_calls') +
        usage +
        DONE,
    ),
    expected: { calls: TWO, finish: 'tool_calls' },
  },
  'a call without arguments': {
    ...CHAT,
    answer: text(calls(call(0, 'a', 'now', '')) + chunk({}, 'tool_calls') + usage + DONE),
    expected: { calls: NONE, finish: 'tool_calls' },
  },
  'a call with null as arguments': {
    ...CHAT,
    answer: text(calls(call(0, 'a', 'now', null)) + chunk({}, 'tool_calls') + usage + DONE),
    expected: { calls: NONE, finish: 'tool_calls' },
  },
  'a call without the member': {
    ...CHAT,
    answer: text(calls(call(0, 'a', 'now', undefined)) + chunk({}, 'tool_calls') + usage + DONE),
    expected: { calls: NONE, finish: 'tool_calls' },
  },
  'arguments as an object': {
    ...CHAT,
    answer: text(calls(call(0, 'a', 'tide', { port: 'Kiel' })) + chunk({}, 'tool_calls') + usage + DONE),
    expected: { calls: TWO.slice(0, 1), finish: 'tool_calls' },
  },
  'an id and a name in every delta': {
    ...CHAT,
    answer: text(
      calls(call(0, 'a', 'tide', '{"port"')) +
        calls(call(0, 'a', 'tide', ':"Kiel"}')) +
        chunk({}, 'tool_calls') +
        usage +
        DONE,
    ),
    expected: { calls: TWO.slice(0, 1), finish: 'tool_calls' },
  },
  'an empty name after the first delta': {
    ...CHAT,
    answer: text(
      calls(call(0, 'a', 'tide', '{"port"')) +
        calls(call(0, '', '', ':"Kiel"}')) +
        chunk({}, 'tool_calls') +
        usage +
        DONE,
    ),
    expected: { calls: TWO.slice(0, 1), finish: 'tool_calls' },
  },
  'whole calls without an index': {
    ...CHAT,
    answer: text(
      calls(call(undefined, 'a', 'tide', '{"port":"Kiel"}')) +
        calls(call(undefined, 'b', 'tide', '{"port":"Brest"}')) +
        chunk({}, 'tool_calls') +
        usage +
        DONE,
    ),
    expected: { calls: TWO, finish: 'tool_calls' },
  },
  'text before a call': {
    ...CHAT,
    answer: text(
      chunk({ role: 'assistant', content: 'Let me see.' }) +
        calls(call(0, 'a', 'now', '{}')) +
        chunk({ content: '' }, 'tool_calls') +
        usage +
        DONE,
    ),
    expected: { text: 'Let me see.', calls: NONE, finish: 'tool_calls' },
  },
  'a role with every chunk, and null as content': {
    ...CHAT,
    answer: text(
      chunk({ role: 'assistant', content: null }) +
        chunk({ role: 'assistant', content: 'Tide' }) +
        chunk({ role: 'assistant', content: null }, 'stop') +
        usage +
        DONE,
    ),
    expected: { text: 'Tide' },
  },
  'usage in every chunk': {
    ...CHAT,
    answer: text(
      [1, 4, 7]
        .map((completion_tokens) =>
          chunk({ content: 'Tide ' }, completion_tokens === 7 ? 'stop' : null, {
            usage: { ...USED, completion_tokens, total_tokens: 12 + completion_tokens },
          }),
        )
        .join('') + DONE,
    ),
    expected: { text: 'Tide Tide Tide ' },
  },
  'usage with the finish reason': {
    ...CHAT,
    answer: text(chunk({ content: 'Tide' }) + chunk({}, 'stop', { usage: USED }) + DONE),
    expected: { text: 'Tide' },
  },
  'null as usage until the end': {
    ...CHAT,
    answer: text(chunk({ content: 'Tide' }, null, { usage: null }) + chunk({}, 'stop', { usage: null }) + usage + DONE),
    expected: { text: 'Tide' },
  },
  'CRLF, comments, a BOM, no space after data': {
    ...CHAT,
    answer: text(
      `\ufeff: hello\r\n\r\n${(chunk({ content: 'Ti' }) + chunk({ content: 'de' }) + chunk({}, 'stop') + usage + DONE).replaceAll('\n\n', '\r\n: ping\r\n\r\n').replaceAll('data: ', 'data:')}`,
    ),
    expected: { text: 'Tide' },
  },
  'characters cut in the middle': {
    ...CHAT,
    answer: pieces(chunk({ content: '潮汐 🌊' }) + chunk({ content: ' é' }) + chunk({}, 'stop') + usage + DONE, 3),
    expected: { text: '潮汐 🌊 é' },
  },
  'ids, retries and names of events that nobody asked for': {
    ...CHAT,
    answer: text(
      `retry: 3000\n\n${`id: 1\nevent: message\n${chunk({ content: 'Tide' })}`}id: 2\n${chunk({}, 'stop')}${usage}${DONE}`,
    ),
    expected: { text: 'Tide' },
  },
  'a stream packed with gzip': { ...CHAT, answer: packedBody('gzip', gzipSync), expected: { text: 'Tide' } },
  'a stream packed with brotli': { ...CHAT, answer: packedBody('br', brotliCompressSync), expected: { text: 'Tide' } },
  'a stream packed with zstd': { ...CHAT, answer: packedBody('zstd', zstdCompressSync), expected: { text: 'Tide' } },
  'a refusal of OpenAI': {
    ...CHAT,
    answer: text(chunk({ refusal: 'I can' }) + chunk({ refusal: 'not' }) + chunk({}, 'stop') + usage + DONE),
    expected: { text: 'I cannot' },
  },
  reasoning_content: {
    ...CHAT,
    answer: text(
      chunk({ reasoning_content: 'The moon' }) + chunk({ content: 'Tide' }) + chunk({}, 'stop') + usage + DONE,
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
  },
  reasoning: {
    ...CHAT,
    answer: text(
      chunk({ reasoning: 'The moon', content: '' }) +
        chunk({ content: 'Tide', reasoning: null }) +
        chunk({}, 'stop') +
        usage +
        DONE,
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
  },
  'content as a list of parts': {
    ...MISTRAL,
    answer: text(chunk({ content: [{ type: 'text', text: 'Tide' }] }) + chunk({}, 'stop') + usage + DONE),
    expected: { text: 'Tide' },
  },
  'the last words with the finish reason': {
    ...CHAT,
    answer: text(chunk({ content: 'Ti' }) + chunk({ content: 'de' }, 'length') + usage + DONE),
    expected: { text: 'Tide', finish: 'length' },
  },
  'a repeated finish reason': {
    ...CHAT,
    answer: text(chunk({ content: 'Tide' }) + chunk({}, 'stop') + chunk({}, 'stop', { usage: USED }) + DONE),
    expected: { text: 'Tide' },
  },
  'the filter results of Azure': {
    ...CHAT,
    answer: text(
      data({
        id: '',
        object: '',
        model: '',
        created: 0,
        choices: [],
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
      }) +
        chunk({ role: 'assistant', content: '', refusal: null }) +
        chunk({ content: 'Tide' }) +
        chunk({}, 'stop') +
        usage +
        DONE,
    ),
    expected: { text: 'Tide' },
  },

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

  'parallel calls of Gemini, one without arguments': {
    ...GEMINI,
    answer: text(
      piece([{ functionCall: { name: 'tide', args: { port: 'Kiel' } } }, { functionCall: { name: 'now' } }]) +
        piece([{ text: '' }], { finishReason: 'STOP' }),
    ),
    expected: { calls: [...TWO.slice(0, 1), ...NONE], finish: 'tool_calls' },
  },
  'thoughts with signatures': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'The moon', thought: true }]) +
        piece([{ text: 'Tide' }]) +
        piece(
          [{ text: '', thoughtSignature: 'c2ln' }],
          { finishReason: 'STOP' },
          { ...COUNTED, candidatesTokenCount: 4, thoughtsTokenCount: 3 },
        ),
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
  },
  'a signed call after text': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'Let me see.' }]) +
        piece([{ functionCall: { name: 'now', args: {} }, thoughtSignature: 'c2ln' }], { finishReason: 'STOP' }),
    ),
    expected: { text: 'Let me see.', calls: NONE, finish: 'tool_calls' },
  },
  'usage in the last chunk alone': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'Ti' }], {}, undefined).replace(/,"usageMetadata":\{[^}]*\}/, '') +
        piece([{ text: 'de' }], { finishReason: 'STOP' }),
    ),
    expected: { text: 'Tide' },
  },
  'code that ran at Google': {
    ...GEMINI,
    answer: text(
      piece([{ executableCode: { language: 'PYTHON', code: 'print(1)' } }]) +
        piece([{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }]) +
        piece([{ text: 'Tide' }], { finishReason: 'STOP' }),
    ),
    expected: { text: 'Tide' },
  },
  'sources of a search': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'Tide' }], {
        finishReason: 'STOP',
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
          groundingSupports: [{ segment: { startIndex: 0, endIndex: 4, text: 'Tide' }, groundingChunkIndices: [0] }],
        },
      }),
    ),
    expected: { text: 'Tide' },
  },
  'an answer cut off by its limit': {
    ...GEMINI,
    answer: text(piece([{ text: 'Ti' }]) + piece([{ text: 'de' }], { finishReason: 'MAX_TOKENS' })),
    expected: { text: 'Tide', finish: 'length' },
  },
  'a candidate without content at the end': {
    ...GEMINI,
    answer: text(
      piece([{ text: 'Tide' }]) + data({ candidates: [{ index: 0, finishReason: 'STOP' }], usageMetadata: COUNTED }),
    ),
    expected: { text: 'Tide' },
  },

  'a summary of reasoning': {
    ...CODEX,
    answer: responds(
      [
        { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
        {
          type: 'response.reasoning_summary_part.added',
          item_id: 'rs_1',
          output_index: 0,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        },
        {
          type: 'response.reasoning_summary_text.delta',
          item_id: 'rs_1',
          output_index: 0,
          summary_index: 0,
          delta: 'The moon',
        },
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: 'The moon' }],
            encrypted_content: 'ZW5j',
          },
        },
        ...spoken('Tide', 1),
      ],
      [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'The moon' }],
          encrypted_content: 'ZW5j',
        },
        item('Tide'),
      ],
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
  },
  'calls whose arguments come whole': {
    ...CODEX,
    answer: responds(
      ['Kiel', 'Brest'].flatMap((port, output_index) => [
        {
          type: 'response.output_item.added',
          output_index,
          item: { type: 'function_call', id: `fc_${port}`, call_id: `call_${port}`, name: 'tide', arguments: '' },
        },
        {
          type: 'response.output_item.done',
          output_index,
          item: {
            type: 'function_call',
            id: `fc_${port}`,
            call_id: `call_${port}`,
            name: 'tide',
            arguments: `{"port":"${port}"}`,
          },
        },
      ]),
      ['Kiel', 'Brest'].map((port) => ({
        type: 'function_call',
        id: `fc_${port}`,
        call_id: `call_${port}`,
        name: 'tide',
        arguments: `{"port":"${port}"}`,
      })),
    ),
    expected: { calls: TWO, finish: 'tool_calls' },
  },
  'a response cut off by its limit': {
    ...CODEX,
    answer: responds(spoken('Tide'), [item('Tide')], 'incomplete', {
      incomplete_details: { reason: 'max_output_tokens' },
    }),
    expected: { text: 'Tide', finish: 'length' },
  },
  'a refusal inside a response': {
    ...CODEX,
    answer: responds(
      [
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
        },
        {
          type: 'response.content_part.added',
          ...{ item_id: 'msg_1', output_index: 0, content_index: 0, part: { type: 'refusal', refusal: '' } },
        },
        { type: 'response.refusal.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'I cannot' },
        { type: 'response.refusal.done', item_id: 'msg_1', output_index: 0, content_index: 0, refusal: 'I cannot' },
      ],
      [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'refusal', refusal: 'I cannot' }],
        },
      ],
    ),
    expected: { text: 'I cannot' },
  },

  'Converse with thinking and a call without input': {
    ...NOVA,
    answer: () =>
      amazonStream([
        packed('messageStart', { role: 'assistant' }),
        packed('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'The moon' } } }),
        packed('contentBlockStop', { contentBlockIndex: 0 }),
        packed('contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'Tide' } }),
        packed('contentBlockStop', { contentBlockIndex: 1 }),
        packed('contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 't1', name: 'now' } } }),
        packed('contentBlockStop', { contentBlockIndex: 2 }),
        packed('messageStop', { stopReason: 'tool_use' }),
        packed('metadata', { usage: { inputTokens: 12, outputTokens: 7, totalTokens: 19 } }),
      ]),
    expected: { thinking: 'The moon', text: 'Tide', calls: NONE, finish: 'tool_calls' },
  },
}

const PLAIN: ReadAnswer = { text: '', thinking: '', calls: [], finish: 'stop', input: 12, output: 7 }

test('streams of every kind have the same meaning for every caller, and the same price', async () => {
  const { channel, key, logs, app } = await relayFixture({ options: { DefaultModelRatio: 1 }, quota: 100_000_000 })
  let current: Case | undefined
  const vendor = fakeVendor(() => {
    if (current === undefined) throw new Error('No case')
    return current.answer()
  })
  const config = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"shh"}'
  for (const { type, model } of [CHAT, MISTRAL, CLAUDE, GEMINI, CODEX])
    await channel(model, { type, base_url: vendor.url, key: 'k' })
  await channel(NOVA.model, { type: NOVA.type, base_url: vendor.url, key: '', config })
  const wrong: object[] = []
  for (const [name, one] of Object.entries(CASES)) {
    current = one
    for (const [surface, read] of Object.entries(STREAM_READERS)) {
      const received = await read({ url: app.url, key, model: one.model }).catch(String)
      const expected = { ...PLAIN, ...one.expected }
      const { prompt_tokens, completion_tokens } = (await logs()).at(-1) ?? {}
      if (!Bun.deepEquals(received, expected)) wrong.push({ name, surface, received, expected })
      if (prompt_tokens !== 12 || completion_tokens !== 7)
        wrong.push({ name, surface, prompt_tokens, completion_tokens })
    }
  }
  expect(wrong).toEqual([])
  expect(await app.audit()).toEqual([])
})

const ARGUMENTS: [form: string, args: unknown, expected: object][] = [
  ['text', '{"port":"Kiel"}', { port: 'Kiel' }],
  ['an object', { port: 'Kiel' }, { port: 'Kiel' }],
  ['empty text', '', {}],
  ['null', null, {}],
  ['nothing', undefined, {}],
]

test.each(ARGUMENTS)(
  'arguments of a whole answer that are %s can be read by every client',
  async (_, args, expected) => {
    const { channel, app, key } = await relayFixture()
    const message = { role: 'assistant', content: null, tool_calls: [call(undefined, 'a', 'tide', args)] }
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
    const vendor = fakeVendor(() =>
      Response.json({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage: USED }),
    )
    await channel('chat', { type: 8, base_url: vendor.url })
    // A client that asks for a stream gets one, although this vendor sends none.
    for (const [surface, read] of Object.entries({ ...WHOLE_READERS, ...STREAM_READERS })) {
      const { calls } = await read({ url: app.url, key, model: 'chat' })
      expect([surface, calls]).toEqual([surface, [{ name: 'tide', args: expected }]])
    }
  },
)
