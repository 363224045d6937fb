import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const ANTHROPIC = 14
const MODEL = 'claude-sonnet-4-5'
const RULES = 'Keep to the rules of the harbour. '.repeat(500)
const schema = { type: 'object', properties: {} }

/** An agent's call in each dialect without cache marks. */
const CALLS: [path: string, body: object][] = [
  [
    '/v1/chat/completions',
    {
      model: MODEL,
      messages: [
        { role: 'system', content: RULES },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ type: 'function', function: { name: 'shell', parameters: schema } }],
    },
  ],
  [
    '/v1/responses',
    {
      ...{ model: MODEL, store: false, instructions: RULES, input: 'Hi' },
      tools: [{ type: 'function', name: 'shell', parameters: schema }],
    },
  ],
  [
    `/v1beta/models/${MODEL}:generateContent`,
    {
      systemInstruction: { parts: [{ text: RULES }] },
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      tools: [{ functionDeclarations: [{ name: 'shell', parameters: schema }] }],
    },
  ],
]

const claude = () =>
  fakeVendor(() =>
    Response.json({
      ...{ id: 'm', type: 'message', role: 'assistant', model: MODEL, stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'Noon.' }],
      usage: { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 4000, cache_creation_input_tokens: 100 },
    }),
  )

const marksIn = (body: unknown) => JSON.stringify(body).match(/"cache_control"/g)?.length ?? 0

test.each(CALLS)(
  'an agent at %s gets marks for Claude’s cache, and the log counts what was read from it',
  async (path, body) => {
    const { channel, post, onlyLog, app } = await relayFixture()
    const vendor = claude()
    await channel(MODEL, { type: ANTHROPIC, base_url: vendor.url })
    expect((await post(path, body)).status).toBe(200)
    expect(marksIn(vendor.asked[0]?.body)).toBe(3)
    const { detail } = await onlyLog()
    expect(detail.usage).toMatchObject({ input: 5, cachedInput: 4000, cacheWrite: 100 })
    expect(Number(detail.price.rates.cachedInput)).toBeLessThan(Number(detail.price.rates.input))
    expect(await app.audit()).toEqual([])
  },
)

test('a channel may set no marks, or set them for every call; any other value is not an option', async () => {
  const { channel, chat, post, root } = await relayFixture()
  const vendor = claude()
  const [[path, agent] = ['', {}]] = CALLS
  const { id } = await channel(MODEL, { type: ANTHROPIC, base_url: vendor.url, config: '{"prompt_caching":"never"}' })
  await post(path, agent)
  expect(marksIn(vendor.asked[0]?.body)).toBe(0)

  await root.put('/api/channel/', { id, config: '{"prompt_caching":"always"}' })
  await chat(MODEL)
  expect(marksIn(vendor.asked[1]?.body)).toBe(1)

  expect(await root.put('/api/channel/', { id, config: '{"prompt_caching":"sometimes"}' })).toMatchObject({
    success: false,
  })
})
