/*
 * How vendors report usage: the answers of a fake vendor, whole or as a stream. Independent of the code under test.
 */

export type Units = Readonly<Record<string, number>>

export interface Reported {
  model: string
  used: Units
  stream: boolean
}

const sse = (events: readonly object[], end = '') =>
  new Response(events.map((event) => `${nameOf(event)}data: ${JSON.stringify(event)}\n\n`).join('') + end, {
    headers: { 'content-type': 'text/event-stream' },
  })

const nameOf = (event: object) => ('type' in event ? `event: ${String(event.type)}\n` : '')
const sum = (used: Units, ...names: string[]) => names.reduce((all, name) => all + (used[name] ?? 0), 0)
/** A model that wrote nothing delivers nothing. */
const textOf = (used: Units) => (sum(used, 'output', 'reasoning') === 0 ? '' : 'High tide.')
const INPUT = ['input', 'cachedInput', 'audioInput', 'cachedAudio']

const openAiTokens = (used: Units) => ({
  prompt_tokens: sum(used, ...INPUT),
  completion_tokens: sum(used, 'output', 'reasoning'),
  total_tokens: sum(used, ...INPUT, 'output', 'reasoning'),
  prompt_tokens_details: { cached_tokens: used.cachedInput ?? 0 },
  completion_tokens_details: { reasoning_tokens: used.reasoning ?? 0 },
})

/** xAI counts its tools in the usage; other vendors' chats have none. */
const xaiTools = (used: Units) =>
  used.sources === undefined
    ? {
        server_side_tool_usage_details: {
          ...{ web_search_calls: used.webSearches ?? 0, file_search_calls: used.fileSearches ?? 0 },
          code_interpreter_calls: used.codeSessions ?? 0,
        },
      }
    : { num_sources_used: used.sources }

export const chat = ({ model, used, stream }: Reported, isXai = false) => {
  const head = { id: 'c', object: 'chat.completion', created: 1, model }
  const usage = { ...openAiTokens(used), ...(isXai ? xaiTools(used) : {}) }
  if (!stream)
    return Response.json({
      ...{ ...head, usage },
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: textOf(used) } }],
    })
  const piece = { ...head, object: 'chat.completion.chunk' }
  return sse(
    [
      { ...piece, choices: [{ index: 0, delta: { role: 'assistant', content: textOf(used) }, finish_reason: null }] },
      { ...piece, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...piece, choices: [], usage },
    ],
    'data: [DONE]\n\n',
  )
}

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

export const responses = ({ model, used, stream }: Reported) => {
  const output = [
    ...times(used.webSearches ?? 0, (at) => ({ type: 'web_search_call', id: `w${at}`, action: { type: 'search' } })),
    ...times(used.fileSearches ?? 0, (at) => ({ type: 'file_search_call', id: `f${at}` })),
    ...times(used.codeSessions ?? 0, (at) => ({ type: 'code_interpreter_call', id: `c${at}`, container_id: `m${at}` })),
    { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: textOf(used) }] },
  ]
  const usage = {
    input_tokens: sum(used, 'input', 'cachedInput'),
    output_tokens: sum(used, 'output', 'reasoning'),
    total_tokens: sum(used, 'input', 'cachedInput', 'output', 'reasoning'),
    input_tokens_details: { cached_tokens: used.cachedInput ?? 0 },
    output_tokens_details: { reasoning_tokens: used.reasoning ?? 0 },
  }
  const response = { id: 'r', object: 'response', status: 'completed', model, output, usage }
  if (!stream) return Response.json(response)
  const delta = { item_id: 'm', output_index: output.length - 1, content_index: 0, delta: textOf(used) }
  return sse([
    { type: 'response.output_text.delta', ...delta },
    { type: 'response.completed', response },
  ])
}

export const messages = ({ model, used, stream }: Reported) => {
  const written = sum(used, 'cacheWrite', 'cacheWriteLong')
  const input = {
    ...{ input_tokens: used.input ?? 0, cache_read_input_tokens: used.cachedInput ?? 0 },
    cache_creation_input_tokens: written,
    cache_creation: {
      ephemeral_5m_input_tokens: used.cacheWrite ?? 0,
      ephemeral_1h_input_tokens: used.cacheWriteLong ?? 0,
    },
  }
  const server_tool_use = { web_search_requests: used.webSearches ?? 0 }
  const usage = { ...input, output_tokens: sum(used, 'output', 'reasoning'), server_tool_use }
  const head = { id: 'm', type: 'message', role: 'assistant', model }
  const content = [{ type: 'text', text: textOf(used) }]
  if (!stream) return Response.json({ ...head, content, stop_reason: 'end_turn', usage })
  return sse([
    { type: 'message_start', message: { ...head, content: [], usage: { ...input, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: textOf(used) } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ])
}

export const generate = ({ model, used, stream }: Reported) => {
  const audio = sum(used, 'audioInput', 'cachedAudio')
  const usageMetadata = {
    promptTokenCount: sum(used, ...INPUT),
    cachedContentTokenCount: sum(used, 'cachedInput', 'cachedAudio'),
    candidatesTokenCount: used.output ?? 0,
    thoughtsTokenCount: used.reasoning ?? 0,
    promptTokensDetails: [{ modality: 'AUDIO', tokenCount: audio }],
    cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: used.cachedAudio ?? 0 }],
  }
  const webSearchQueries = times(used.webSearches ?? 0, (at) => `tides ${at}`)
  const groundingChunks = times(used.mapsQueries ?? 0, (at) => ({ maps: { placeId: `p${at}` } }))
  const content = { role: 'model', parts: [{ text: textOf(used) }] }
  const candidate = { content, finishReason: 'STOP', groundingMetadata: { webSearchQueries, groundingChunks } }
  const body = { candidates: [candidate], modelVersion: model, usageMetadata }
  return stream ? sse([body]) : Response.json(body)
}
