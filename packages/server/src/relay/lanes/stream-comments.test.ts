import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { ASKS_COST, MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }

/** Every path that can be streamed, and its request. */
const surfaces = (model: string) => [
  { path: '/v1/chat/completions', body: { model, messages: MESSAGES, stream: true } },
  { path: '/v1/completions', body: { model, prompt: 'Hi', stream: true } },
  { path: '/v1/responses', body: { model, input: 'Hi', stream: true } },
  { path: '/v1/messages', body: { model, messages: MESSAGES, max_tokens: 64, stream: true } },
  ...['v1', 'v1beta'].flatMap((version) =>
    ['?alt=sse', ''].map((query) => ({
      path: `/${version}/models/${model}:streamGenerateContent${query}`,
      body: CONTENTS,
    })),
  ),
]

const isGoogles = (path: string) => path.includes(':streamGenerateContent')

test("no stream contains a comment, on any path; the cost is sent on request, except to Google's libraries", async () => {
  const { channel, post, upstream, app } = await relayFixture()
  await channel('gpt-4o-mini')
  for (const { path, body } of surfaces('gpt-4o-mini')) {
    const silent = await post(path, body)
    expect([path, silent.status]).toEqual([path, 200])
    expect(await silent.text()).not.toMatch(/^:/m)
    const answerText = await (await post(path, body, ASKS_COST)).text()
    expect([path, /^: tollgate \{"cost":\d+/m.test(answerText)]).toEqual([path, !isGoogles(path)])
  }
  expect(upstream.journal.length).toBeGreaterThan(0)
  expect(await app.audit()).toEqual([])
})

const EVENTS = { headers: { 'content-type': 'text/event-stream' } }

test("comments in a stream of Google's own dialect are removed", async () => {
  const { channel, post, onlyLog } = await relayFixture()
  const said = (text: string) => JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] })
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2 }
  const end = JSON.stringify({ candidates: [{ finishReason: 'STOP' }], usageMetadata })
  const events = [
    ': PROCESSING\n\n',
    `data: ${said('a :b\u2028: c')}\r\n\r\n`,
    `: ping\ndata: ${said('\n: d')}\n: pong\n\n`,
    `:\r\n\r\ndata: ${end}\n\n: bye`,
  ]
  const vendor = fakeVendor(() => new Response(events.join(''), EVENTS))
  await channel('gemini-2.5-flash', { type: 24, base_url: vendor.url, key: 'k' })
  const answer = await post('/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse', CONTENTS)
  const data = [said('a :b\u2028: c'), said('\n: d'), end]
  expect((await answer.text()).replaceAll('\r', '')).toBe(data.map((line) => `data: ${line}\n\n`).join(''))
  expect(await onlyLog()).toMatchObject({ prompt_tokens: 3, completion_tokens: 2 })
})

const framed = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/**
 * Thinks for two minutes after its first word, with keep-alives now and then. If the client can see them, it waits for each before it
 * continues.
 */
async function slowClaude({ waitsForClient = false } = {}) {
  const fixture = await relayFixture()
  let received = Promise.withResolvers<void>()
  const vendor = fakeVendor(() => {
    async function* words() {
      const message = { id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 4 } }
      yield framed({ type: 'message_start', ...{ message } })
      yield framed({ type: 'content_block_start', ...{ index: 0, content_block: { type: 'text', text: '' } } })
      yield framed({ type: 'content_block_delta', ...{ index: 0, delta: { type: 'text_delta', text: 'Well' } } })
      await received.promise
      received = Promise.withResolvers<void>()
      for (let turn = 0; turn < 5; turn++) {
        fixture.app.clock.pass(25)
        yield framed({ type: 'ping' })
      }
      if (waitsForClient) await received.promise
      yield framed({ type: 'content_block_delta', ...{ index: 0, delta: { type: 'text_delta', text: ', yes.' } } })
      yield framed({ type: 'content_block_stop', ...{ index: 0 } })
      yield framed({
        type: 'message_delta',
        ...{ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
      })
      yield framed({ type: 'message_stop' })
    }
    return new Response(words() as unknown as BodyInit, EVENTS)
  })
  await fixture.channel('claude-opus-4-5', { type: 14, base_url: vendor.url, key: 'k' })
  return { ...fixture, received: () => received.resolve() }
}

test("the clients of OpenAI, Anthropic and Google read a long silent stream of another vendor's model with one call", async () => {
  const { app, key, logs, received } = await slowClaude()
  const model = 'claude-opus-4-5'
  const openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key })
  const anthropic = new Anthropic({ baseURL: app.url, apiKey: key })
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: app.url } })
  const messages = [{ role: 'user' as const, content: 'Hi' }]

  let chat = ''
  for await (const chunk of await openai.chat.completions.create({ model, messages, stream: true })) {
    chat += chunk.choices[0]?.delta.content ?? ''
    if (chat === 'Well') received()
  }
  let response = ''
  for await (const event of await openai.responses.create({ model, input: 'Hi', stream: true })) {
    if (event.type === 'response.output_text.delta') response += event.delta
    if (response === 'Well') received()
  }
  const message = await anthropic.messages.stream({ model, messages, max_tokens: 64 }).on('text', received).finalText()
  let generated = ''
  for await (const chunk of await google.models.generateContentStream({ model, contents: 'Hi' })) {
    generated += chunk.text ?? ''
    if (generated === 'Well') received()
  }

  expect([chat, response, message, generated]).toEqual(Array(4).fill('Well, yes.'))
  expect((await logs()).map(({ completion_tokens }) => completion_tokens)).toEqual([3, 3, 3, 3])
})

test.each([
  { path: '/v1/chat/completions', alive: /^: keep-alive$/m },
  { path: '/v1/responses', alive: /^: keep-alive$/m },
  { path: '/v1/messages', alive: /^event: ping\ndata: \{"type": ?"ping"\}$/m },
  { path: '/v1beta/models/claude-opus-4-5:streamGenerateContent?alt=sse', alive: undefined },
])('while a vendor thinks, $path gets keep-alives that its clients skip', async ({ path, alive }) => {
  // For Claude on Anthropic's own path nothing is translated: the vendor's pings arrive.
  const { post, received } = await slowClaude({ waitsForClient: alive !== undefined })
  const { body } = surfaces('claude-opus-4-5').find((surface) => surface.path === path) ?? { body: {} }
  const decoder = new TextDecoder()
  let text = ''
  let hasStarted = false
  for await (const bytes of (await post(path, body)).body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (!hasStarted && text.includes('Well')) received()
    hasStarted ||= text.includes('Well')
    if (alive?.test(text)) received()
  }
  expect(text).toContain('yes.')
  if (alive === undefined) expect(text).not.toMatch(/^(?!data: )./m)
  else expect(text).toMatch(alive)
})
