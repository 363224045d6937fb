import { expect, test } from 'bun:test'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { generateText, streamText } from 'ai'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

const SENTENCE = 'The bar goes up when the toll is paid.'

test("Anthropic's own client works with a channel of OpenAI's dialect, whole and streamed, at the same cost", async () => {
  const { app, channel, key, account } = await relayFixture()
  await channel('gpt-4o-mini')
  const client = new Anthropic({ baseURL: app.url, apiKey: key })
  const request = { model: 'gpt-4o-mini', max_tokens: 64, messages: [{ role: 'user' as const, content: 'hello' }] }

  const whole = await client.messages.create(request)
  expect(whole.content).toMatchObject([{ type: 'text', text: SENTENCE }])
  expect(whole.stop_reason).toBe('end_turn')
  expect(whole.usage.output_tokens).toBe(10)
  const { used_quota: once } = await account()

  const streamed = await client.messages.stream(request).finalMessage()
  expect(streamed.content).toMatchObject([{ type: 'text', text: SENTENCE }])
  expect(streamed.usage.output_tokens).toBe(10)
  expect((await account()).used_quota).toBe(once * 2)
  expect(await app.audit()).toEqual([])
})

test("Anthropic's client sees a refusal as its own exception", async () => {
  const { app, channel } = await relayFixture()
  await channel('gpt-4o-mini')
  const client = new Anthropic({ baseURL: app.url, apiKey: 'sk-wrong', maxRetries: 0 })
  const request = { model: 'gpt-4o-mini', max_tokens: 8, messages: [{ role: 'user' as const, content: 'hello' }] }
  const refusal = await client.messages.create(request).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Anthropic.AuthenticationError)
})

test("Google's own client works with a channel of OpenAI's dialect, whole and streamed", async () => {
  const { app, channel, key } = await relayFixture()
  await channel('gpt-4o-mini')
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: app.url } })
  const request = { model: 'gpt-4o-mini', contents: 'hello' }
  const whole = await client.models.generateContent(request)
  expect(whole.text).toBe(SENTENCE)
  expect(whole.usageMetadata?.candidatesTokenCount).toBe(10)

  let text = ''
  for await (const chunk of await client.models.generateContentStream(request)) text += chunk.text ?? ''
  expect(text).toBe(SENTENCE)
  expect(await app.audit()).toEqual([])
})

test("a chat of Google's own client remembers what a channel of another dialect said, whole and streamed", async () => {
  const { app, channel, key, upstream } = await relayFixture()
  await channel('gpt-4o-mini')
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: app.url } })
  for (const streamed of [false, true]) {
    const chat = client.chats.create({ model: 'gpt-4o-mini' })
    for (const message of ['hello', 'and again']) {
      if (!streamed) await chat.sendMessage({ message })
      else for await (const _ of await chat.sendMessageStream({ message }));
    }
    expect(upstream.journal.at(-1)?.body.messages).toEqual([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: SENTENCE },
      { role: 'user', content: 'and again' },
    ])
  }
})

test('the Vercel AI SDK works through the gateway', async () => {
  const { app, channel, key } = await relayFixture()
  await channel('gpt-4o-mini')
  const model = createOpenAI({ baseURL: `${app.url}/v1`, apiKey: key }).chat('gpt-4o-mini')
  expect((await generateText({ model, prompt: 'hello' })).text).toBe(SENTENCE)
  expect(await streamText({ model, prompt: 'hello' }).text).toBe(SENTENCE)
  expect(await app.audit()).toEqual([])
})

test("versions and beta features that Anthropic's clients request reach a channel of its own dialect", async () => {
  const { channel, post, upstream } = await relayFixture()
  await channel('claude-opus-4-5', { type: 14, key: 'sk-ant-ours' })
  const ask = (headers: Record<string, string>) =>
    post('/v1/messages', { model: 'claude-opus-4-5', max_tokens: 8, messages: MESSAGES }, { headers })
  await ask({ 'anthropic-version': '2026-10-21', 'anthropic-beta': 'context-1m-2025-08-07' })
  await ask({})
  const received = upstream.journal.map(({ headers }) =>
    ['anthropic-version', 'anthropic-beta', 'x-api-key'].map((name) => headers.get(name)),
  )
  expect(received).toEqual([
    ['2026-10-21', 'context-1m-2025-08-07', 'sk-ant-ours'],
    ['2023-06-01', null, 'sk-ant-ours'],
  ])
})

test('a vendor that rejects the usage option is not sent it, whoever requests it', async () => {
  const { channel, chat, upstream } = await relayFixture()
  await channel('mistral-small-latest', { type: 28 })
  for (const stream_options of [undefined, { include_usage: true }]) {
    const answer = await chat('mistral-small-latest', { stream: true, ...(stream_options && { stream_options }) })
    expect(await answer.text()).toContain('[DONE]')
  }
  expect(upstream.journal.map(({ body }) => 'stream_options' in body)).toEqual([false, false])
})
