import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/*
 * Every kind of block, item, part and event in the types of the official libraries, in one answer of each vendor's API, read by
 * every official client: no exception, no lost word, no lost call, and the tokens add up.
 */

const PACKAGES = fileURLToPath(new URL('../../../../../node_modules/', import.meta.url))

/** The values of `type` in the interfaces that a union of a library consists of. */
function kindsIn(file: string, union: string): string[] {
  const text = readFileSync(PACKAGES + file, 'utf8')
  const [, members = ''] = new RegExp(`type ${union} =([^;]+);`).exec(text) ?? []
  return members.split('|').map((member) => {
    const name = member.trim().split('.').at(-1) ?? ''
    const start = text.search(new RegExp(`interface ${name}( extends [^{]+)? \\{`))
    const [, kind = ''] = /\n\s+type: '([^']+)'/.exec(text.slice(start)) ?? []
    return kind
  })
}

const TEXT = 'High water is at noon — 正午.'
const ARGS = { berth: 12, note: 'a "quay"' }
const CALL = { name: 'book', args: ARGS }

const BLOCKS = kindsIn('@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', 'BetaContentBlock')

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

const RESPONSES = 'openai/resources/responses/responses.d.ts'
const ITEMS = kindsIn(RESPONSES, 'ResponseOutputItem')
const EVENTS = kindsIn(RESPONSES, 'ResponseStreamEvent')

const ANNOTATIONS = [
  { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 },
  { type: 'file_citation', file_id: 'f', filename: 'a.pdf', index: 1 },
  { type: 'container_file_citation', container_id: 'c', file_id: 'g', filename: 'b.csv', start_index: 0, end_index: 4 },
  { type: 'file_path', file_id: 'h', index: 1 },
]

/** Calls of custom tools are those of the caller, too; here nobody offered one. */
const item = (type: string): Record<string, unknown> => {
  const own = { id: `${type}_1`, type, status: 'completed' }
  if (type === 'message') {
    return {
      ...own,
      role: 'assistant',
      content: [{ type: 'output_text', text: TEXT, annotations: ANNOTATIONS, logprobs: [] }],
    }
  }
  if (type === 'reasoning')
    return { ...own, summary: [{ type: 'summary_text', text: 'The tide.' }], encrypted_content: 'gAAA' }
  if (type === 'function_call') return { ...own, call_id: 'call_1', name: CALL.name, arguments: JSON.stringify(ARGS) }
  return {
    ...own,
    call_id: 'call_9',
    action: { type: 'search' },
    code: 'tide()',
    outputs: [],
    tools: [],
    output: [],
    result: null,
  }
}

const OUTPUT = ITEMS.filter((kind) => kind !== 'custom_tool_call').map(item)

const responseUsage = {
  ...{ input_tokens: 20, output_tokens: 9, total_tokens: 29 },
  ...{
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 6 },
    output_tokens_details: { reasoning_tokens: 3 },
  },
}

const response = (status: string, output: object[]) => ({
  ...{
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status,
    output,
    error: null,
    incomplete_details: null,
  },
  ...{
    parallel_tool_calls: true,
    tools: [],
    tool_choice: 'auto',
    usage: status === 'completed' ? responseUsage : null,
  },
})

/** Events that have a place of their own below, or end a stream. */
const PLACED =
  /^(error|response\.(created|in_progress|queued|completed|failed|incomplete|output_|content_|function_call_|custom_|reasoning_|refusal))/

function responseEvents() {
  const rest = EVENTS.filter((type) => !PLACED.test(type))
  const isOf = (own: Record<string, unknown>, type: string) => type.startsWith(`response.${own.type}`)
  const items = OUTPUT.flatMap((own, output_index) => {
    const place = { output_index, item_id: own.id, content_index: 0, summary_index: 0 }
    const tool = { delta: 'tide', code: 'tide', arguments: '{}', partial_image_b64: 'AAAA', partial_image_index: 0 }
    return [
      { type: 'response.output_item.added', output_index, item: { ...own, ...EMPTY[String(own.type)] } },
      ...growthOf(own).map((event) => ({ ...place, ...event })),
      ...rest.filter((type) => isOf(own, type)).map((type) => ({ ...place, ...tool, type })),
      { type: 'response.output_item.done', output_index, item: own },
    ]
  })
  const unplaced = rest
    .filter((type) => !OUTPUT.some((own) => isOf(own, type)))
    .map((type) => ({ type, delta: 'AAAA' }))
  return [
    { type: 'response.created', response: response('in_progress', []) },
    { type: 'response.queued', response: response('queued', []) },
    { type: 'response.in_progress', response: response('in_progress', []) },
    ...unplaced,
    ...items,
    { type: 'response.completed', response: response('completed', OUTPUT) },
  ].map((event, sequence_number) => ({ ...event, sequence_number }))
}

/** Items while they are open. */
const EMPTY: Record<string, object> = {
  message: { content: [] },
  reasoning: { summary: [] },
  function_call: { arguments: '' },
  code_interpreter_call: { code: '' },
}

function growthOf(own: Record<string, unknown>): Record<string, unknown>[] {
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
  if (own.type === 'message') {
    return [
      { type: 'response.content_part.added', part },
      ...[...TEXT].map((delta) => ({ type: 'response.output_text.delta', delta, logprobs: [] })),
      ...ANNOTATIONS.map((annotation, annotation_index) => ({
        type: 'response.output_text.annotation.added',
        annotation,
        annotation_index,
      })),
      { type: 'response.output_text.done', text: TEXT, logprobs: [] },
      { type: 'response.content_part.done', part: { ...part, text: TEXT, annotations: ANNOTATIONS } },
    ]
  }
  if (own.type === 'reasoning') {
    const summary = { type: 'summary_text', text: '' }
    return [
      { type: 'response.reasoning_summary_part.added', part: summary },
      { type: 'response.reasoning_summary_text.delta', delta: 'The tide.' },
      { type: 'response.reasoning_summary_text.done', text: 'The tide.' },
      { type: 'response.reasoning_summary_part.done', part: { ...summary, text: 'The tide.' } },
    ]
  }
  if (own.type !== 'function_call') return []
  const json = JSON.stringify(ARGS)
  return [
    ...[json.slice(0, 7), json.slice(7)].map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    { type: 'response.function_call_arguments.done', arguments: json, name: CALL.name },
  ]
}

const PARTS = [
  { text: 'The tide.', thought: true },
  { toolCall: { id: 't', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['tide'] } } },
  { toolResponse: { id: 't', toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
  { executableCode: { language: 'PYTHON', code: 'tide()', id: 'x' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'noon', id: 'x' } },
  { text: TEXT.slice(0, 9), thoughtSignature: 'c2ln' },
  { text: TEXT.slice(9), speechMetadata: {}, partMetadata: { a: 1 } },
  { fileData: { fileUri: 'gs://a/b.png', mimeType: 'image/png' } },
  { functionCall: { id: 'fc_1', name: CALL.name, args: ARGS }, thoughtSignature: 'c2lnMg==' },
  { ofNextYear: { a: 1 } },
]

const GROUNDING = {
  citationMetadata: { citations: [{ uri: 'https://c.example', startIndex: 0, endIndex: 4 }] },
  groundingMetadata: {
    ...{ webSearchQueries: ['tide'], searchEntryPoint: { renderedContent: '<b>' }, retrievalMetadata: {} },
    groundingChunks: [
      { web: { uri: 'https://a.example', title: 'A' } },
      { retrievedContext: { title: 'B', text: 'x' } },
      { maps: { uri: 'https://m.example', title: 'M' } },
      { image: { sourceUri: 'https://i.example' } },
    ],
    groundingSupports: [{ segment: { endIndex: 4, text: 'High' }, groundingChunkIndices: [0, 1, 3, 9] }],
  },
  urlContextMetadata: {
    urlMetadata: [{ retrievedUrl: 'https://u.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
  },
  safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
  avgLogprobs: -0.1,
}

const generateUsage = {
  usageMetadata: {
    ...{
      promptTokenCount: 20,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 6,
      thoughtsTokenCount: 3,
      totalTokenCount: 29,
    },
    ...{ promptTokensDetails: [{ modality: 'TEXT', tokenCount: 20 }], trafficType: 'ON_DEMAND' },
  },
}

const candidate = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  ...{ modelVersion: 'gemini-2.5-pro', responseId: 'r' },
})

const REASONED = {
  reasoning_content: 'The tide.',
  reasoning: 'The tide.',
  reasoning_details: [
    { type: 'reasoning.text', text: 'The tide.', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'AAAA', format: 'openai-responses-v1', index: 1 },
    { type: 'reasoning.summary', summary: 'The tide.', index: 2 },
  ],
}

const annotations = [
  { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 } },
  { type: 'file_citation', file_citation: { file_id: 'f' } },
]
const toolCall = { id: 'call_1', type: 'function', function: { name: CALL.name, arguments: JSON.stringify(ARGS) } }
const chatUsage = {
  ...{ prompt_tokens: 20, completion_tokens: 9, total_tokens: 29, cost: 0.1 },
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 6, audio_tokens: null },
  completion_tokens_details: { reasoning_tokens: 3, audio_tokens: null, accepted_prediction_tokens: null },
}
const chat = (object: string, choices: object[], more: object = {}) => ({
  ...{ id: 'c', object, created: 1, model: 'm', choices, system_fingerprint: null, service_tier: null, ...more },
})

function chatChunks() {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    chat('chat.completion.chunk', [{ index: 0, delta, finish_reason, logprobs: null }], { usage: null })
  return [
    chunk({ role: 'assistant', content: '', refusal: null }),
    chunk({ content: null, ...REASONED }),
    ...[...TEXT].map((content) => chunk({ content })),
    chunk({ annotations, of_next_year: { a: 1 } }),
    chunk({ tool_calls: [{ index: 0, ...toolCall, function: { name: CALL.name, arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: toolCall.function.arguments } }] }),
    chunk({}, 'tool_calls'),
    // The usage comes behind the finish reason, and once more.
    chat('chat.completion.chunk', [], { usage: { ...chatUsage, completion_tokens: 1, total_tokens: 21 } }),
    chat('chat.completion.chunk', [], { usage: chatUsage }),
  ]
}

interface Vendor {
  type: number
  model: string
  whole: object
  events: object[]
}

const VENDORS: Record<string, Vendor> = {
  chat: {
    ...{ type: 1, model: 'gpt-4o' },
    whole: chat(
      'chat.completion',
      [
        {
          ...{ index: 0, finish_reason: 'tool_calls', logprobs: null },
          message: {
            role: 'assistant',
            content: TEXT,
            refusal: null,
            audio: null,
            annotations,
            tool_calls: [toolCall],
            ...REASONED,
          },
        },
      ],
      { usage: chatUsage },
    ),
    events: chatChunks(),
  },
  responses: {
    ...{ type: 1, model: 'gpt-5.1-codex' },
    whole: response('completed', OUTPUT),
    events: responseEvents(),
  },
  messages: {
    ...{ type: 14, model: 'claude-opus-4-5' },
    whole: { ...message(MESSAGE), stop_reason: 'tool_use', usage: messageUsage },
    events: messageEvents(),
  },
  gemini: {
    ...{ type: 24, model: 'gemini-2.5-pro' },
    whole: { ...candidate(PARTS, { finishReason: 'STOP', ...GROUNDING }), ...generateUsage },
    events: [
      { usageMetadata: { promptTokenCount: 20, totalTokenCount: 20 } },
      ...PARTS.map((part) => candidate([part])),
      { ...candidate([], { finishReason: 'STOP', ...GROUNDING }), ...generateUsage },
    ],
  },
}

interface Asked {
  url: string
  key: string
  model: string
  streamed: boolean
}

interface Read {
  text: string
  calls: { name: string; args: unknown }[]
  tokens: number
}

const SCHEMA = { type: 'object' as const, properties: { berth: { type: 'integer' } } }

const CLIENTS: Record<string, (asked: Asked) => Promise<Read>> = {
  async chat({ url, key, model, streamed }) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    const tools = [{ type: 'function' as const, function: { name: CALL.name, parameters: SCHEMA } }]
    const request = { model, messages: [{ role: 'user' as const, content: 'Hi' }], tools }
    const { choices, usage } = streamed
      ? await client.chat.completions
          .stream({ ...request, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(request)
    const own = choices[0]?.message
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0))
    expect(choices[0]?.finish_reason).toBe('tool_calls')
    return {
      text: own?.content ?? '',
      calls: (own?.tool_calls ?? []).flatMap((call) =>
        call.type === 'function' ? [{ name: call.function.name, args: JSON.parse(call.function.arguments) }] : [],
      ),
      tokens: usage?.total_tokens ?? 0,
    }
  },
  async responses({ url, key, model, streamed }) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    const tools = [{ type: 'function' as const, name: CALL.name, parameters: SCHEMA, strict: false }]
    const request = { model, input: 'Hi', store: false, tools }
    const { output_text, output, usage, status } = streamed
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request)
    expect(usage?.total_tokens).toBe((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0))
    expect(status).toBe('completed')
    return {
      text: output_text,
      calls: output.flatMap((own) =>
        own.type === 'function_call' ? [{ name: own.name, args: JSON.parse(own.arguments) }] : [],
      ),
      tokens: usage?.total_tokens ?? 0,
    }
  },
  async messages({ url, key, model, streamed }) {
    const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
    const tools = [{ name: CALL.name, input_schema: SCHEMA }]
    const request = { model, max_tokens: 64, messages: [{ role: 'user' as const, content: 'Hi' }], tools }
    const { content, usage, stop_reason } = streamed
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    expect(stop_reason).toBe('tool_use')
    return {
      text: content.flatMap((own) => (own.type === 'text' ? [own.text] : [])).join(''),
      calls: content.flatMap((own) => (own.type === 'tool_use' ? [{ name: own.name, args: own.input }] : [])),
      tokens:
        usage.input_tokens +
        (usage.cache_read_input_tokens ?? 0) +
        (usage.cache_creation_input_tokens ?? 0) +
        usage.output_tokens,
    }
  },
  async gemini({ url, key, model, streamed }) {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
    const tools = [{ functionDeclarations: [{ name: CALL.name, parametersJsonSchema: SCHEMA }] }]
    const request = { model, contents: 'Hi', config: { tools } }
    const pieces: GenerateContentResponse[] = []
    if (streamed) for await (const piece of await client.models.generateContentStream(request)) pieces.push(piece)
    else pieces.push(await client.models.generateContent(request))
    const parts = pieces.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    const usage = pieces.findLast(({ usageMetadata }) => usageMetadata !== undefined)?.usageMetadata
    const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0, totalTokenCount = 0 } = usage ?? {}
    expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount + thoughtsTokenCount)
    expect(pieces.some(({ candidates }) => candidates?.[0]?.finishReason === 'STOP')).toBe(true)
    return {
      text: parts.flatMap(({ text = '', thought }) => (thought ? [] : [text])).join(''),
      calls: parts.flatMap(({ functionCall: own }) =>
        own === undefined ? [] : [{ name: own.name ?? '', args: own.args }],
      ),
      tokens: totalTokenCount,
    }
  },
}

test('the answers contain every kind that the libraries know', () => {
  for (const kinds of [BLOCKS, ITEMS, EVENTS]) {
    expect(kinds.length).toBeGreaterThan(15)
    expect(kinds).not.toContain('')
  }
})

/** Its own client, which waits for events and gets none from the vendor. */
test.each(Object.entries(VENDORS))(
  'a whole answer of %s is a stream to a client that asked for one',
  async (name, vendor) => {
    const { app, channel, key, onlyLog } = await relayFixture()
    const { model, type, whole } = vendor
    const upstream = fakeVendor(() => Response.json(whole))
    await channel(model, { type, base_url: upstream.url, key: 'k' })
    const read = await CLIENTS[name]?.({ url: app.url, key, model, streamed: true })
    expect(read).toEqual({ text: TEXT, calls: [CALL], tokens: 29 })
    expect(await onlyLog()).toMatchObject({ prompt_tokens: 20, completion_tokens: 9 })
    expect(await app.audit()).toEqual([])
  },
)

describe.each(Object.entries(VENDORS))('an answer in the API of %s', (_, { type, model, whole, events }) => {
  test.each(Object.entries(CLIENTS))('is read by the client of %s, whole and streamed', async (_surface, client) => {
    const { app, channel, key, logs } = await relayFixture()
    const isChat = model === 'gpt-4o'
    const vendor = fakeVendor(async ({ path, body }) => {
      const isStreamed =
        path.includes('stream') ||
        (typeof body === 'object' && body !== null && 'stream' in body && body.stream === true)
      if (!isStreamed) return Response.json(whole)
      const streamed = await eventStream(...(events as Record<string, unknown>[])).text() // objects of this file
      const headers = { 'content-type': 'text/event-stream' }
      return new Response(isChat ? `${streamed}data: [DONE]\n\n` : streamed, { headers })
    })
    // A custom server has chats only.
    await channel(model, { type: isChat ? 8 : type, base_url: vendor.url, key: 'k' })
    for (const streamed of [false, true]) {
      expect(await client({ url: app.url, key, model, streamed })).toEqual({ text: TEXT, calls: [CALL], tokens: 29 })
    }
    for (const { prompt_tokens, completion_tokens } of await logs()) {
      expect([prompt_tokens, completion_tokens]).toEqual([20, 9])
    }
    expect(await app.audit()).toEqual([])
  })
})
