import { expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

const QUESTION = 'How many tokens are in this sentence, dear gateway?'

test("Anthropic's client counts tokens on a channel of another vendor: by our estimate, free, without a request", async () => {
  const { app, channel, key, upstream, account } = await relayFixture()
  await channel('gpt-4o-mini')
  const client = new Anthropic({ baseURL: app.url, apiKey: key })
  const messages = [{ role: 'user' as const, content: QUESTION }]
  const short = await client.messages.countTokens({ model: 'gpt-4o-mini', messages })
  const long = await client.messages.countTokens({ model: 'gpt-4o-mini', messages, system: 'Be brief. '.repeat(100) })
  expect(short.input_tokens).toBeWithin(10, 25)
  expect(long.input_tokens).toBeWithin(short.input_tokens + 200, short.input_tokens + 350)
  expect(upstream.journal).toHaveLength(0)
  expect(await account()).toMatchObject({ used_quota: 0, held: 0 })
  expect(await app.audit()).toEqual([])
})

test("Google's client counts tokens on a channel of another vendor", async () => {
  const { app, channel, key, upstream } = await relayFixture()
  await channel('gpt-4o-mini')
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: app.url } })
  const { totalTokens } = await client.models.countTokens({ model: 'gpt-4o-mini', contents: QUESTION })
  expect(totalTokens).toBeWithin(10, 25)
  expect(upstream.journal).toHaveLength(0)
})

test('a whole request may be counted', async () => {
  const { channel, post } = await relayFixture()
  await channel('gpt-4o-mini')
  const generateContentRequest = {
    model: 'models/gpt-4o-mini',
    contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
  }
  const answer = await post('/v1beta/models/gpt-4o-mini:countTokens', { generateContentRequest })
  expect((await answer.json()).totalTokens).toBeWithin(10, 30)
})

test('the vendor itself counts if it can, free of charge', async () => {
  const vendor = fakeVendor(() => Response.json({ input_tokens: 4242 }))
  const { channel, post, account } = await relayFixture()
  await channel('claude-x', { type: 14, base_url: vendor.url })
  const body = { model: 'claude-x', messages: [{ role: 'user', content: QUESTION }] }
  expect(await (await post('/v1/messages/count_tokens', body)).json()).toEqual({ input_tokens: 4242 })
  expect(vendor.asked[0]?.path).toBe('/v1/messages/count_tokens')
  expect((await account()).used_quota).toBe(0)
})

test('a caller without a balance may still count', async () => {
  const { channel, post } = await relayFixture({ quota: 0 })
  await channel('gpt-4o-mini')
  const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: QUESTION }] }
  expect((await post('/v1/messages/count_tokens', body)).status).toBe(200)
})
