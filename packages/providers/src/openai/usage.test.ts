import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readAnthropicUsage } from '../anthropic/usage.ts'
import { readGeminiUsage } from '../gemini/usage.ts'
import { inputTokens, NO_USAGE, outputTokens } from '../usage.ts'
import { readImageUsage } from './image-usage.ts'
import { readOpenAiUsage } from './usage.ts'

const usage = (own: object, more: object = {}) => readOpenAiUsage({ ...more, usage: own })

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)

test('usage: a chat is split into its kinds of tokens', () => {
  expect(
    usage({
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 60, audio_tokens: 10, cache_write_tokens: 5, image_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 7 },
    }),
  ).toEqual({
    ...NO_USAGE,
    input: 21,
    cachedInput: 60,
    cacheWrite: 5,
    audioInput: 10,
    imageInput: 4,
    output: 23,
    reasoning: 20,
    audioOutput: 7,
  })
})

test('usage: reasoning beside the output is recognised by the total', () => {
  const stated = { prompt_tokens: 12, completion_tokens: 1, total_tokens: 241 }
  const beside = { ...NO_USAGE, input: 12, output: 1, reasoning: 228 }
  expect(usage({ ...stated, completion_tokens_details: { reasoning_tokens: 228 } })).toEqual(beside)
  expect(usage(stated)).toEqual(beside)
  expect(
    usage({ prompt_tokens: 12, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 9 } }),
  ).toEqual({
    ...NO_USAGE,
    input: 12,
    output: 1,
    reasoning: 9,
  })
})

test('usage: reasoning that exceeds the output by a vendor’s mistake is not counted twice', () => {
  const found = usage({
    prompt_tokens: 951,
    completion_tokens: 6000,
    total_tokens: 6952,
    completion_tokens_details: { reasoning_tokens: 6001 },
  })
  expect(found).toMatchObject({ input: 951, output: 0, reasoning: 6001 })
})

test('usage: Mistral’s audio is input, though only the total includes it', () => {
  const received = { prompt_audio_seconds: 60, prompt_tokens: 4, completion_tokens: 100, total_tokens: 854 }
  expect(usage(received)).toEqual({ ...NO_USAGE, input: 4, audioInput: 750, output: 100 })
  expect(usage({ ...received, prompt_tokens: 754 })).toEqual({ ...NO_USAGE, input: 754, output: 100 })
})

test('usage: cached tokens beside the input are not taken for reasoning', () => {
  const stated = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 2015 }
  expect(usage({ ...stated, prompt_tokens_details: { cached_tokens: 2000 } })).toEqual({
    ...NO_USAGE,
    input: 10,
    cachedInput: 2000,
    output: 5,
  })
})

test('usage: each endpoint and compatible vendor has its own fields', () => {
  expect(usage({ prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 })).toMatchObject({
    input: 5,
    cachedInput: 4,
  })
  expect(readOpenAiUsage({ choices: [{ usage: { prompt_tokens: 3, completion_tokens: 2 } }] })).toMatchObject({
    input: 3,
    output: 2,
  })
  expect(readOpenAiUsage({ x_groq: { usage: { prompt_tokens: 3, completion_tokens: 2 } } })).toMatchObject({ input: 3 })
  const response = {
    input_tokens: 8,
    input_tokens_details: { cached_tokens: 2 },
    output_tokens: 6,
    output_tokens_details: { reasoning_tokens: 5 },
  }
  expect(readOpenAiUsage({ type: 'response.completed', response: { usage: response } })).toMatchObject({
    input: 6,
    cachedInput: 2,
    output: 1,
    reasoning: 5,
  })
  expect(usage({ prompt_tokens: 4, total_tokens: 4 }, { data: [] })).toEqual({ ...NO_USAGE, input: 4 })
  const drawn = { input_tokens: 50, input_tokens_details: { text_tokens: 10, image_tokens: 40 }, output_tokens: 272 }
  expect(usage(drawn, { created: 1, data: [{ b64_json: '' }] })).toMatchObject({
    input: 10,
    imageInput: 40,
    output: 0,
    imageOutput: 272,
  })
  const received = { type: 'tokens', input_tokens: 14, input_token_details: { audio_tokens: 14 }, output_tokens: 45 }
  expect(usage(received, { text: 'Hello' })).toMatchObject({ input: 0, audioInput: 14, output: 45 })
  expect(usage({ type: 'duration', seconds: 9.25 }, { text: 'Hello' })).toEqual({ ...NO_USAGE, audioInput: 93 })
  expect(usage({ type: 'duration', seconds: -1 }, { text: 'Hello' })).toBeUndefined()
  expect(usage({ total_tokens: 7 }, { results: [] })).toEqual({ ...NO_USAGE, input: 7 })
  expect(readOpenAiUsage({ results: [], meta: { tokens: { input_tokens: 11, output_tokens: 0 } } })).toMatchObject({
    input: 11,
  })
})

test('usage: deep research includes citation and reasoning tokens beside its totals', () => {
  expect(
    usage({
      ...{ prompt_tokens: 22, completion_tokens: 7163, total_tokens: 7185 },
      ...{ citation_tokens: 19_028, num_search_queries: 18, reasoning_tokens: 73_997 },
    }),
  ).toEqual({ ...NO_USAGE, input: 19_050, output: 7163, reasoning: 73_997, webSearches: 18 })
})

test('usage: a transcript with segments states the length of the audio, in any spelling', () => {
  for (const duration of [8.47, '8.47'])
    expect(readOpenAiUsage({ task: 'transcribe', duration, text: 'High tide.' })).toEqual({
      ...NO_USAGE,
      audioInput: 85,
    })
  for (const duration of [-1, 'long', {}, Number.POSITIVE_INFINITY])
    expect(readOpenAiUsage({ duration, text: 'High tide.' })).toBeUndefined()
})

test('usage: cached audio and images are separate kinds, and counted once', () => {
  const cached_tokens_details = { audio_tokens: 15, image_tokens: 2 }
  const details = { cached_tokens: 20, audio_tokens: 60, image_tokens: 12, cached_tokens_details }
  expect(usage({ input_tokens: 100, output_tokens: 0, input_token_details: details })).toMatchObject({
    input: 25,
    cachedInput: 3,
    cachedAudio: 15,
    cachedImage: 2,
    audioInput: 45,
    imageInput: 10,
  })
})

test('usage: an invalid count is ignored', () => {
  for (const count of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '12', null, undefined]) {
    expect(usage({ prompt_tokens: count, completion_tokens: count })).toBeUndefined()
  }
  for (const body of [
    undefined,
    null,
    'text',
    [],
    {},
    { usage: null },
    { usage: {} },
    { choices: [], usage: { total_tokens: 5 } },
  ]) {
    expect(readOpenAiUsage(body)).toBeUndefined()
  }
})

test('usage: whatever is reported, buckets are counts and add up to the totals', () => {
  const count = fc.option(fc.nat(10_000), { nil: undefined })
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.nat(10_000),
      count,
      count,
      count,
      count,
      (input, output, cached, audio, reasoning, drawn) => {
        const found = usage({
          prompt_tokens: input,
          completion_tokens: output,
          prompt_tokens_details: { cached_tokens: cached, audio_tokens: audio },
          completion_tokens_details: { reasoning_tokens: reasoning, image_tokens: drawn },
        })
        if (found === undefined) throw new Error('no usage')
        expect(Object.values(found).every((own) => own >= 0)).toBe(true)
        expect(inputTokens(found)).toBe((cached ?? 0) > input ? input + (cached ?? 0) : input)
        expect(outputTokens(found)).toBe((reasoning ?? 0) > output ? output + (reasoning ?? 0) : output)
      },
    ),
    { seed: SEED },
  )
})

test('usage: Anthropic reports input first and output last', () => {
  const start = {
    type: 'message_start',
    message: {
      usage: { input_tokens: 5, cache_read_input_tokens: 6, cache_creation_input_tokens: 7, output_tokens: 1 },
    },
  }
  expect(readAnthropicUsage(start)).toEqual({ input: 5, cachedInput: 6, cacheWrite: 7 })
  const delta = {
    type: 'message_delta',
    usage: { output_tokens: 40, output_tokens_details: { thinking_tokens: 30 }, input_tokens: null },
  }
  expect(readAnthropicUsage(delta)).toEqual({ output: 10, reasoning: 30 })
  expect(readAnthropicUsage({ type: 'ping' })).toBeUndefined()
})

test('usage: Google counts thoughts and tools separately, and lists the kinds of input', () => {
  const usageMetadata = {
    promptTokenCount: 100,
    cachedContentTokenCount: 30,
    toolUsePromptTokenCount: 8,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 9,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 50 },
      { modality: 'AUDIO', tokenCount: 32 },
      { modality: 'IMAGE', tokenCount: 18 },
    ],
    cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 30 }],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 12 }],
  }
  expect(readGeminiUsage({ usageMetadata })).toEqual({
    ...NO_USAGE,
    input: 58,
    cachedAudio: 30,
    audioInput: 2,
    imageInput: 18,
    output: 8,
    reasoning: 9,
    imageOutput: 12,
  })
  expect(readGeminiUsage({ usageMetadata: { trafficType: 'ON_DEMAND' } })).toBeUndefined()
})

test('usage: searches are counted as the vendor counts them', () => {
  const stated = { prompt_tokens: 12, completion_tokens: 30, total_tokens: 42 }
  expect(usage({ ...stated, num_search_queries: 3 })).toMatchObject({ webSearches: 3, fileSearches: 0 })
  expect(usage({ ...stated, server_tool_use: { web_search_requests: 2 } })).toMatchObject({ webSearches: 2 })
  expect(usage({ ...stated, num_search_queries: -1, server_tool_use: null })).toMatchObject({ webSearches: 0 })
  const message = { input_tokens: 105, output_tokens: 6039, server_tool_use: { web_search_requests: 4 } }
  expect(readAnthropicUsage({ type: 'message', usage: message })).toMatchObject({ input: 105, webSearches: 4 })
  expect(readAnthropicUsage({ usage: { output_tokens: 1, server_tool_use: null } })).not.toHaveProperty('webSearches')
})

test('usage: of the actions in a response, searches count, and opening a result does not', () => {
  const response = {
    output: [
      { type: 'reasoning' },
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'tides' } },
      { type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: 'https://example.com' } },
      { type: 'web_search_call', status: 'completed', action: { type: 'find_in_page', pattern: 'low' } },
      { type: 'web_search_call', status: 'completed' },
      { type: 'file_search_call', status: 'completed' },
      { type: 'message', content: [] },
      'nonsense',
    ],
    usage: { input_tokens: 328, output_tokens: 356, total_tokens: 684 },
  }
  const searched = { ...NO_USAGE, input: 328, output: 356, webSearches: 2, fileSearches: 1 }
  expect(readOpenAiUsage(response)).toEqual(searched)
  expect(readOpenAiUsage({ type: 'response.completed', response })).toEqual(searched)
})

test('usage: the vendor’s tools count as it reports them, a container once for all that runs in it', () => {
  const tokens = { input_tokens: 10, output_tokens: 5 }
  const ran = (container_id?: string) => ({ type: 'code_interpreter_call', ...(container_id && { container_id }) })
  const output = [ran('one'), ran('one'), ran('two'), ran(), { type: 'file_search_call' }]
  expect(readOpenAiUsage({ output, usage: tokens })).toMatchObject({ codeSessions: 3, fileSearches: 1 })
  const tools = { web_search_calls: 1, x_search_calls: 2, code_interpreter_calls: 3, document_search_calls: 4 }
  expect(readOpenAiUsage({ usage: { ...tokens, server_side_tool_usage_details: tools } })).toMatchObject({
    ...{ webSearches: 3, codeSessions: 3, fileSearches: 4 },
  })
  expect(readOpenAiUsage({ usage: { ...tokens, num_sources_used: 7 } })).toMatchObject({ sources: 7 })
  expect(readOpenAiUsage({ model: 'gpt-4o-search-preview', usage: tokens })).toMatchObject({ webSearches: 1 })
})

test('usage: of the searches that a response lists, those count that OpenAI bills', () => {
  const searched = { type: 'web_search_call', action: { type: 'search' } }
  const body = { output: [searched, searched, searched], usage: { input_tokens: 10, output_tokens: 5 } }
  const billed = (num_requests: number) => ({ ...body, tool_usage: { web_search: { num_requests } } })
  expect(readOpenAiUsage(body)).toMatchObject({ webSearches: 3 })
  expect(readOpenAiUsage(billed(2))).toMatchObject({ webSearches: 2 })
  expect(readOpenAiUsage({ type: 'response.completed', response: billed(0) })).toMatchObject({ webSearches: 0 })
  expect(readOpenAiUsage({ ...body, tool_usage: { image_gen: {} } })).toMatchObject({ webSearches: 3 })
})

test('usage: what is kept in a cache for half a day is counted apart', () => {
  const written = (cache_write_tokens_details: object) => ({
    usage: {
      ...{ input_tokens: 100, output_tokens: 5 },
      input_tokens_details: { cached_tokens: 10, cache_write_tokens: 50, cache_write_tokens_details },
    },
  })
  const read = { input: 40, cachedInput: 10, output: 5 }
  const both = written({ ttl_12h_tokens: 30, ttl_30m_tokens: 20 })
  expect(readOpenAiUsage(both)).toMatchObject({ ...read, cacheWrite: 20, cacheWriteLong: 30 })
  expect(readOpenAiUsage(written({ ttl_12h_tokens: 900 }))).toMatchObject({
    ...{ ...read, cacheWrite: 0, cacheWriteLong: 50 },
  })
  expect(readOpenAiUsage(written({}))).toMatchObject({ ...read, cacheWrite: 50, cacheWriteLong: 0 })
})

test('usage: cached input of an image tool is divided into text and images', () => {
  const image_gen = {
    ...{ input_tokens: 100, input_tokens_details: { text_tokens: 40, image_tokens: 60 } },
    ...{ cached_tokens: 30, cached_tokens_details: { cached_image_tokens: 20, cached_text_tokens: 10 } },
    ...{ output_tokens: 50, total_tokens: 150 },
  }
  expect(readImageUsage({ tool_usage: { image_gen } })).toEqual({
    ...{ ...NO_USAGE, input: 30, cachedInput: 10, cachedImage: 20, imageInput: 40, imageOutput: 50 },
  })
})

test('usage: an answer grounded in Google Maps counts once', () => {
  const groundingChunks = [{ maps: { title: 'Harbour' } }, { maps: { title: 'Pier' } }, { web: { uri: 'x' } }]
  const candidates = [{ groundingMetadata: { groundingChunks } }]
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 5 }
  expect(readGeminiUsage({ candidates, usageMetadata })).toMatchObject({ mapsQueries: 1, webSearches: 0 })
})
