import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const OPENAI = 1
const ANTHROPIC = 14

const RESPONSE = {
  ...{ object: 'response', id: 'resp_1', model: 'm', status: 'completed' },
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Noon.' }] }],
  usage: { input_tokens: 1000, output_tokens: 100 },
}

const streamed = (response: object) =>
  [
    { type: 'response.created', response: { id: 'resp_1', model: 'm' } },
    { type: 'response.output_text.delta', output_index: 0, delta: 'Noon.' },
    { type: 'response.completed', response },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')

test.each([false, true])(
  'a chat that becomes a response costs its service tier, as the vendor reports it (stream: %p)',
  async (stream) => {
    const { channel, chat, logs, app } = await relayFixture()
    const vendor = fakeVendor(({ body }) => {
      const { service_tier = 'default' } = body as { service_tier?: string } // what the test itself sends
      const response = { ...RESPONSE, service_tier }
      if (!stream) return Response.json(response)
      return new Response(streamed(response), { headers: { 'content-type': 'text/event-stream' } })
    })
    await channel('gpt-5.1-codex', { type: OPENAI, base_url: vendor.url })
    for (const fields of [{}, { service_tier: 'priority' }]) {
      const answer = await chat('gpt-5.1-codex', { stream, ...fields })
      expect(await answer.text()).toContain('Noon.')
    }
    const [usual, urgent] = await logs()
    expect(urgent?.quota).toBe((usual?.quota ?? 0) * 2)
    expect(urgent?.detail.service_tier).toBe('priority')
    expect(await app.audit()).toEqual([])
  },
)

const MESSAGE = {
  ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'Noon.' }],
  usage: { input_tokens: 4, output_tokens: 2 },
}

test('the log names the parameters that were not sent to a vendor, and those that change the answer are refused by name', async () => {
  const { channel, chat, onlyLog } = await relayFixture()
  const vendor = fakeVendor(() => Response.json(MESSAGE))
  await channel('claude-sonnet-4-5', { type: ANTHROPIC, base_url: vendor.url })
  const answer = await chat('claude-sonnet-4-5', { seed: 7, verbosity: 'low', metadata: { a: 'b' }, store: true })
  expect(answer.status).toBe(200)
  expect((await onlyLog()).detail.dropped_parameters).toEqual(['seed', 'verbosity', 'metadata'])

  const refused = await chat('claude-sonnet-4-5', { logit_bias: { 42: -100 } })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { param: 'logit_bias', message: expect.stringContaining("'logit_bias'") },
  })
  expect(vendor.asked).toHaveLength(1)
})

test.each([
  { model: 'gpt-5.4', more: { reasoning_effort: 'high' } },
  // It thinks by default.
  { model: 'gpt-6-sol', more: {} },
])('a chat that OpenAI only accepts as a response is sent as one: $model', async ({ model, more }) => {
  const { channel, chat } = await relayFixture()
  const message = `Function tools with reasoning_effort are not supported for ${model}. Please use /v1/responses instead.`
  const vendor = fakeVendor(({ path }) =>
    path === '/v1/responses' ? Response.json(RESPONSE) : Response.json({ error: { message } }, { status: 400 }),
  )
  await channel(model, { type: OPENAI, base_url: vendor.url })
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]
  const answer = await chat(model, { ...more, tools, temperature: 0.2 })
  expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Noon.' } }] })
  expect(vendor.asked.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/responses'])
  expect(vendor.asked[1]?.body).not.toHaveProperty('temperature')
})
