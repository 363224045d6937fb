import { expect, test } from 'bun:test'
import OpenAI from 'openai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { ASKS_COST, MESSAGES, readStream, relayFixture } from '../../testing/relay-fixture.ts'

const tool = { id: 'call_1', type: 'function', function: { name: 'tide', arguments: '{"at":"noon"}' } }
const WHOLE = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'High', tool_calls: [tool] }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
}

const fixture = async () => {
  const vendor = fakeVendor(() => Response.json(WHOLE))
  const relay = await relayFixture({ options: { ModelRatio: '{"m":1}', CompletionRatio: '{"m":1}' } })
  await relay.channel('m', { base_url: vendor.url })
  return relay
}

test('a streaming client reads the answer of a model that does not stream', async () => {
  const { app, key, charges } = await fixture()
  const client = new OpenAI({ apiKey: key, baseURL: `${app.url}/v1`, maxRetries: 0 })
  const stream = client.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'Tide?' }] })
  const { message, finish_reason } = (await stream.finalChatCompletion()).choices[0] ?? {}
  expect(message?.content).toBe('High')
  expect(message?.tool_calls).toMatchObject([tool])
  expect(finish_reason).toBe('stop')
  expect(await charges()).toMatchObject([{ delta: -18 }])
})

test('it is a stream like any other: usage if requested, the cost before the end', async () => {
  const { chat } = await fixture()
  const plain = await readStream(await chat('m', { stream: true, messages: MESSAGES }, ASKS_COST))
  expect(plain.events.map(({ usage }) => usage)).toEqual([undefined])
  expect(plain).toMatchObject({ done: true, content: 'High', cost: { cost: 18, source: 'reported' } })
  const asked = await readStream(await chat('m', { stream: true, stream_options: { include_usage: true } }))
  expect(asked.events.map(({ usage }) => usage)).toEqual([undefined, WHOLE.usage])
})
