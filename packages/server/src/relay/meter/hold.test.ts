import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeChannel } from '../../testing/channel-makers.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { TOKEN_SAMPLES } from '../../testing/token-samples.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

const ONE_TOKEN_1 = { DefaultModelRatio: 1 }

const chatVendor = (prompt_tokens: number) =>
  fakeVendor(() => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }]
    return Response.json({ id: 'c', choices, usage: { prompt_tokens, completion_tokens: 2 } })
  })

const sampleOf = (wanted: string) => {
  const sample = TOKEN_SAMPLES.find(({ name }) => name === wanted)
  if (sample === undefined) throw new Error(wanted)
  return sample
}

test.each(['Chinese', 'Burmese', 'Amharic', 'base64'])(
  'of 60 concurrent calls on a balance for 3, none overdraws it, though the text is far from English: %s',
  async (script) => {
    const { text, cl100k } = sampleOf(script)
    // Letters first: the beginning of a text says nothing about the rest.
    const content = `${'It is high tide. '.repeat(25)}${text.repeat(60)}`
    const tokens = 25 * 5 + cl100k * 60 + 7
    const { app, root, chat, account } = await relayFixture({ quota: 3 * (tokens + 2), options: ONE_TOKEN_1 })
    await makeChannel(root, { type: 8, base_url: chatVendor(tokens).url, models: 'any' })
    const messages = [{ role: 'user', content }]
    const calls = Array.from({ length: 60 }, async () => (await chat('any', { messages, max_tokens: 2 })).status)
    const answered = (await Promise.all(calls)).filter((status) => status === 200).length
    expect(answered).toBeWithin(1, 4)
    expect(await account()).toMatchObject({ quota: (3 - answered) * (tokens + 2), held: 0 })
    expect(await app.audit()).toEqual([])
  },
)

test('five calls that may search 20 times are refused on a balance that pays for none', async () => {
  const { root, post, account } = await relayFixture({ quota: 100 })
  const usage = { input_tokens: 20, output_tokens: 5, server_tool_use: { web_search_requests: 20 } }
  const content = [{ type: 'text', text: 'High tide.' }]
  const vendor = fakeVendor(() => Response.json({ id: 'm', type: 'message', role: 'assistant', content, usage }))
  await makeChannel(root, { type: 14, base_url: vendor.url, models: 'claude-opus-4-5' })
  const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 20 }]
  const request = { model: 'claude-opus-4-5', max_tokens: 8, messages: [{ role: 'user', content: 'Tide?' }], tools }
  const calls = Array.from({ length: 5 }, async () => (await post('/v1/messages', request)).status)
  expect(await Promise.all(calls)).toEqual([402, 402, 402, 402, 402])
  expect(vendor.asked).toEqual([])
  expect(await account()).toMatchObject({ quota: 100, held: 0 })
})

test('ten large images are not generated on a balance that covers a few', async () => {
  const { root, post, account } = await relayFixture({ quota: 200_010 })
  const vendor = fakeVendor(() => Response.json({ data: [] }))
  await makeChannel(root, { type: 1, base_url: vendor.url, models: 'gpt-image-1' })
  const request = { model: 'gpt-image-1', prompt: 'A gate', n: 10, quality: 'high', size: '1536x1024' }
  expect((await post('/v1/images/generations', request)).status).toBe(429)
  expect(vendor.asked).toEqual([])
  expect(await account()).toMatchObject({ quota: 200_010, held: 0 })
})

test('a correct report of a long tool loop is charged in full', async () => {
  const { app, root, post, onlyLog } = await relayFixture({ quota: 100_000_000 })
  const usage = {
    ...{ input_tokens: 10, cache_read_input_tokens: 2_500_000, cache_creation_input_tokens: 300_000 },
    ...{ output_tokens: 900, server_tool_use: { web_search_requests: 12 } },
  }
  const content = [{ type: 'text', text: 'High tide.' }]
  const vendor = fakeVendor(() => Response.json({ id: 'm', type: 'message', role: 'assistant', content, usage }))
  await makeChannel(root, { type: 14, base_url: vendor.url, models: 'claude-opus-4-5' })
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  const messages = [{ role: 'user', content: 'Tide?' }]
  await post('/v1/messages', { model: 'claude-opus-4-5', max_tokens: 64, messages, tools })
  const { detail } = await onlyLog()
  expect(detail).toMatchObject({ source: 'reported', usage: { cachedInput: 2_500_000, webSearches: 12 } })
  expect(await app.audit()).toEqual([])
})
