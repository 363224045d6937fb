import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Servers that imitate a vendor's dialect, except for the end of its streams. */

const named = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
const DONE = 'data: [DONE]\n\n'

const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null },
  ...{ stop_sequence: null, usage: { input_tokens: 5, output_tokens: 1 } },
}
const MESSAGE = [
  { type: 'message_start', message },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Noon.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
]
  .map(named)
  .join('')
const STOP = named({ type: 'message_stop' })
const GENERATED = `data: ${JSON.stringify({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Noon.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
})}\n\n`

const STREAMS: [string, number, string][] = [
  ['a message with OpenAI’s mark after its end', 14, MESSAGE + STOP + DONE],
  ['a message without its last event', 14, MESSAGE],
  ['a message with OpenAI’s mark instead of its last event', 14, MESSAGE + DONE],
  ['content with OpenAI’s mark after it', 24, GENERATED + DONE],
]

test.each(STREAMS)('a finished answer is complete for every client: %s', async (_, type, frames) => {
  const vendor = fakeVendor(() => new Response(frames, { headers: { 'content-type': 'text/event-stream' } }))
  const { app, channel, key, logs } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('m', { type, base_url: vendor.url, key: 'k' })
  const openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key, maxRetries: 0 })
  const anthropic = new Anthropic({ baseURL: app.url, apiKey: key, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'Tides?' }]

  const chat = await openai.chat.completions.stream({ model: 'm', messages }).finalChatCompletion()
  expect(chat.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Noon.' } })
  const response = await openai.responses.stream({ model: 'm', input: 'Tides?', store: false }).finalResponse()
  expect([response.status, response.output_text]).toEqual(['completed', 'Noon.'])
  const answer = await anthropic.messages.stream({ model: 'm', max_tokens: 9, messages }).finalMessage()
  expect(answer).toMatchObject({ stop_reason: 'end_turn', content: [{ text: 'Noon.' }] })
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: app.url } })
  const chunks = await Array.fromAsync(await google.models.generateContentStream({ model: 'm', contents: 'Tides?' }))
  expect(chunks.map(({ text }) => text ?? '').join('')).toBe('Noon.')
  for (const row of await logs()) expect(row).toMatchObject({ quota: 7, outcome: 'success' })
  expect(await app.audit()).toEqual([])
})
