import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { DONE, data, NONE, TWO, text, type VariedStream } from './varied-stream.ts'

export const CHAT = { type: 8, model: 'chat' }
export const MISTRAL = { type: 28, model: 'mistral' }

const SSE = { headers: { 'content-type': 'text/event-stream' } }
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  data({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  })
export const USED = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
const usage = data({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: USED })
export const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id, type: 'function' }),
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
})
const calls = (...tool_calls: object[]) => chunk({ tool_calls })
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

export const CHAT_STREAMS: Record<string, VariedStream> = {
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
  'usage in an event without choices': {
    ...CHAT,
    answer: text(chunk({ content: 'Tide' }) + chunk({}, 'stop') + usage.replace('"choices":[],', '') + DONE),
    expected: { text: 'Tide' },
  },
  'null as choices beside the usage': {
    ...CHAT,
    answer: text(
      chunk({ content: 'Tide' }) + chunk({}, 'stop') + usage.replace('"choices":[]', '"choices":null') + DONE,
    ),
    expected: { text: 'Tide' },
  },
  'a last choice without a delta': {
    ...CHAT,
    answer: text(chunk({ content: 'Tide' }) + chunk({}, 'stop').replace('"delta":{},', '') + usage + DONE),
    expected: { text: 'Tide' },
  },
  'null as the last delta': {
    ...CHAT,
    answer: text(chunk({ content: 'Tide' }) + chunk({}, 'stop').replace('"delta":{}', '"delta":null') + usage + DONE),
    expected: { text: 'Tide' },
  },
  'choices without an index, and no ids': {
    ...CHAT,
    answer: text(
      (
        calls(call(0, 'a', 'tide', '{"port":')) +
        calls(call(0, undefined, undefined, '"Kiel"}')) +
        chunk({}, 'tool_calls')
      )
        .replaceAll('"choices":[{"index":0,', '"choices":[{')
        .replaceAll('"id":"c",', '') +
        usage.replace('"id":"c"', '"id":null') +
        DONE,
    ),
    expected: { calls: TWO.slice(0, 1), finish: 'tool_calls' },
  },
  'signs of life of another kind': {
    ...CHAT,
    answer: text(
      data({ type: 'ping' }) + chunk({ content: 'Tide' }) + data({ object: 'ping' }) + chunk({}, 'stop') + usage + DONE,
    ),
    expected: { text: 'Tide' },
  },
  'deltas that are called messages': {
    ...CHAT,
    answer: text(
      (chunk({ role: 'assistant', content: 'Ti' }) + chunk({ content: 'de' }) + chunk({}, 'stop')).replaceAll(
        '"delta"',
        '"message"',
      ) +
        usage +
        DONE,
    ),
    expected: { text: 'Tide' },
  },
  'the whole message repeated beside the deltas': {
    ...CHAT,
    answer: text(
      (chunk({ role: 'assistant', content: 'Ti' }) + chunk({ content: 'de' }) + chunk({}, 'stop')).replaceAll(
        '"delta"',
        '"message":{"role":"assistant","content":"Tide"},"delta"',
      ) +
        usage +
        DONE,
    ),
    expected: { text: 'Tide' },
  },
  'content as blocks, with thinking': {
    ...CHAT,
    answer: text(
      chunk({ role: 'assistant', content: '' }) +
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'The moon' }] }] }) +
        chunk({ content: [{ type: 'text', text: 'Tide' }] }) +
        chunk({}, 'stop') +
        usage +
        DONE,
    ),
    expected: { thinking: 'The moon', text: 'Tide' },
  },
  'numbers of calls as text': {
    ...CHAT,
    answer: text(
      (
        calls(call(0, 'a', 'tide', '{"port"'), call(1, 'b', 'tide', '{"port"')) +
        calls(call(0, undefined, undefined, ':"Kiel"}'), call(1, undefined, undefined, ':"Brest"}'))
      ).replaceAll(/"tool_calls":.*?\]/g, (list) => list.replaceAll(/"index":(\d)/g, '"index":"$1"')) +
        chunk({}, 'tool_calls') +
        usage +
        DONE,
    ),
    expected: { calls: TWO, finish: 'tool_calls' },
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
}
