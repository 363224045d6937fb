import { expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { setLimits } from '../../testing/limit-makers.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

const MODEL = 'fixed/12/10'
const HELLO = [{ role: 'user' as const, content: 'Hello there' }]

/** The rate-limit headers of an answer. */
const limitsIn = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => /ratelimit/.test(name) || name === 'retry-after'))

const fixture = async () => {
  const relay = await relayFixture()
  await relay.channel(MODEL)
  await setLimits(relay, { key: { rpm: 2, tpm: 600 }, user: { rpm: 60, tpm: 60_000 } })
  return relay
}

test('OpenAI’s client reads the strictest limit, and recognises the refusal', async () => {
  const { app, key } = await fixture()
  const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key, maxRetries: 0 })
  const ask = (stream: boolean) =>
    client.chat.completions.create({ model: MODEL, messages: HELLO, max_tokens: 90, stream })
  const { response } = await ask(false).withResponse()
  expect(limitsIn(response.headers)).toEqual({
    'x-ratelimit-limit-requests': '2',
    'x-ratelimit-remaining-requests': '1',
    'x-ratelimit-reset-requests': '30s',
    'x-ratelimit-limit-tokens': '600',
    'x-ratelimit-remaining-tokens': expect.stringMatching(/^(50\d|49\d)$/),
    'x-ratelimit-reset-tokens': expect.stringMatching(/^(9|10|11)s$/),
  })
  const streamed = await ask(true).withResponse()
  expect(streamed.response.headers.get('x-ratelimit-reset-requests')).toBe('1m0s')
  expect(streamed.response.headers.get('x-ratelimit-remaining-requests')).toBe('0')
  await streamed.response.body?.cancel()

  const refusal = await ask(false).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(OpenAI.RateLimitError)
  if (!(refusal instanceof OpenAI.RateLimitError)) return
  expect(refusal).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'requests' })
  expect(refusal.headers.get('x-ratelimit-remaining-requests')).toBe('0')
  expect(refusal.headers.get('retry-after')).toBe('30')
  expect(refusal.headers.has('x-should-retry')).toBe(false)
})

test('Anthropic’s client reads the same in its own headers', async () => {
  const { app, key } = await fixture()
  const client = new Anthropic({ baseURL: app.url, apiKey: key, maxRetries: 0 })
  const ask = () => client.messages.create({ model: MODEL, messages: HELLO, max_tokens: 90 })
  const { response } = await ask().withResponse()
  const inSeconds = (seconds: number) =>
    `${new Date(Math.ceil(app.clock.now() / 1000 + seconds) * 1000).toISOString().slice(0, 19)}Z`
  expect(limitsIn(response.headers)).toEqual({
    'anthropic-ratelimit-requests-limit': '2',
    'anthropic-ratelimit-requests-remaining': '1',
    'anthropic-ratelimit-requests-reset': inSeconds(30),
    'anthropic-ratelimit-tokens-limit': '600',
    'anthropic-ratelimit-tokens-remaining': expect.stringMatching(/^(50\d|49\d)$/),
    'anthropic-ratelimit-tokens-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  })
  await ask()
  const refusal = await ask().catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Anthropic.RateLimitError)
  if (!(refusal instanceof Anthropic.RateLimitError)) return
  expect(refusal.error).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
  expect(refusal.headers.get('retry-after')).toBe('30')
  expect(refusal.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0')
})

test('Google’s client gets RESOURCE_EXHAUSTED, and how long to wait, in its own format', async () => {
  const { app, key } = await fixture()
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: app.url } })
  const ask = () => client.models.generateContent({ model: MODEL, contents: 'Hello', config: { maxOutputTokens: 90 } })
  const first = await ask()
  expect(first.sdkHttpResponse?.headers?.['x-ratelimit-remaining-requests']).toBe('1')
  await ask()
  const refusal = await ask().catch((error: unknown) => error)
  expect(refusal instanceof ApiError && refusal.status).toBe(429)
  const { error } = JSON.parse(refusal instanceof ApiError ? refusal.message : '')
  expect(error).toMatchObject({ code: 429, status: 'RESOURCE_EXHAUSTED' })
  expect(error.details).toEqual([{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '30s' }])
})

test('a client that waits for the given time is served', async () => {
  const { app, chat } = await fixture()
  for (let turn = 0; turn < 2; turn++) await (await chat(MODEL, { max_tokens: 9 })).text()
  const refused = await chat(MODEL, { max_tokens: 9 })
  app.clock.pass(Number(refused.headers.get('retry-after')))
  expect((await chat(MODEL, { max_tokens: 9 })).status).toBe(200)
})

test('a vendor’s limits are not mixed with ours, and are passed on where we have none', async () => {
  const CHAT = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
  const vendors = {
    'x-ratelimit-remaining-requests': '59',
    'x-ratelimit-remaining-tokens': '77',
    'openai-version': 'x',
  }
  const vendor = fakeVendor(() => Response.json(CHAT, { headers: vendors }))
  const relay = await relayFixture()
  await relay.channel('m', { type: 1, base_url: vendor.url })
  const answer = async () =>
    Object.fromEntries((await relay.post('/v1/chat/completions', { model: 'm', messages: MESSAGES })).headers)
  expect(await answer()).toMatchObject(vendors)
  await setLimits(relay, { key: { concurrency: 5 } })
  expect(await answer()).toMatchObject(vendors)
  await setLimits(relay, { key: { rpm: 5 } })
  const limited = await answer()
  expect(limited).toMatchObject({ 'x-ratelimit-remaining-requests': '4', 'openai-version': 'x' })
  expect(limited['x-ratelimit-remaining-tokens']).toBeUndefined()
})
