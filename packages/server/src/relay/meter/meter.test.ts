import { expect, test } from 'bun:test'
import { operationAt } from '../surfaces/operations.ts'
import { createStreamMeter } from './meter.ts'

const meterAt = (path: string, hideUsage = false) => {
  const found = operationAt(path)
  if (found === undefined) throw new Error(`No operation at ${path}`)
  return createStreamMeter(found.operation, { hideUsage })
}

const bytes = (text: string) => new TextEncoder().encode(text)
const data = (body: object) => bytes(`data: ${JSON.stringify(body)}\n\n`)
const named = (body: { type: string; [more: string]: unknown }) =>
  bytes(`event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`)

test('one-hour cache writes of Anthropic are counted once, though the end of a stream reports all writes as one', () => {
  const meter = meterAt('/v1/messages')
  const cache_creation = { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 500 }
  const usage = { input_tokens: 10, cache_creation_input_tokens: 700, cache_read_input_tokens: 90, cache_creation }
  meter.read(named({ type: 'message_start', message: { usage } }))
  meter.read(named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Tide' } }))
  const closing = { input_tokens: 10, cache_creation_input_tokens: 700, cache_read_input_tokens: 90, output_tokens: 7 }
  meter.read(named({ type: 'message_delta', delta: {}, usage: closing }))
  const { ending } = meter.read(named({ type: 'message_stop' }))
  expect(ending).toContain('message_stop')
  expect(meter.reported()).toMatchObject({
    input: 10,
    cachedInput: 90,
    cacheWrite: 200,
    cacheWriteLong: 500,
    output: 7,
  })
  expect(meter.hasContent()).toBe(true)
})

test('if every event reports the usage, the last one counts, and the bytes are forwarded unchanged', () => {
  const meter = meterAt('/v1beta/models/gemini-x:streamGenerateContent')
  const piece = (text: string, candidatesTokenCount: number) =>
    data({
      candidates: [{ content: { parts: [{ text }] } }],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount },
    })
  for (const event of [piece('High', 1), piece(' tide', 2), piece('.', 3)]) {
    expect(meter.read(event)).toEqual({ bytes: event, ending: undefined, error: undefined })
  }
  expect(meter.reported()).toMatchObject({ input: 9, output: 3 })
  expect(meter.counted()).toBe(3)
})

test('usage that only we requested does not reach the client, and an error is extracted', () => {
  const meter = meterAt('/v1/chat/completions', true)
  const word = data({ choices: [{ index: 0, delta: { content: 'x' } }], usage: null })
  expect(meter.read(word).bytes).toBe(word)
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
  expect(meter.read(data({ choices: [], usage })).bytes).toHaveLength(0)
  expect(meter.reported()).toMatchObject({ input: 5, output: 1 })
  expect(meter.read(data({ error: { message: 'Broken' } })).error?.data).toContain('Broken')
})

test('if a later report splits the same tokens differently, none of them is counted twice', () => {
  const meter = meterAt('/v1/chat/completions')
  meter.read(data({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 } }))
  const whole = {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_tokens_details: { cached_tokens: 90 },
    completion_tokens_details: { reasoning_tokens: 40 },
  }
  meter.read(data({ choices: [], usage: whole }))
  const expected = { input: 10, cachedInput: 90, output: 10, reasoning: 40 }
  expect(meter.reported()).toMatchObject(expected)
  meter.read(data({ choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }))
  expect(meter.reported()).toMatchObject(expected)
})

test('a separate error object is extracted from a stream like any other', () => {
  const meter = meterAt('/v1/chat/completions')
  const error = { object: 'error', message: 'Too long', type: 'BadRequestError', param: null, code: 400 }
  expect(meter.read(data(error))).toMatchObject({ bytes: new Uint8Array(0), error: { data: JSON.stringify(error) } })
})
