import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, PLAIN_AND_STREAM, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Agents shorten their conversation when its vendor finds it too long, if they recognise that. */

const openai = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } })
const VENDORS: [name: string, type: number, status: number, body: object][] = [
  [
    ...(['OpenAI', 8, 400] as const),
    openai("This model's maximum context length is 128000 tokens.", { code: 'context_length_exceeded' }),
  ],
  [
    ...(['vLLM', 8, 400] as const),
    {
      object: 'error',
      message: "This model's maximum context length is 8192 tokens.",
      type: 'BadRequestError',
      code: 400,
    },
  ],
  [
    ...(['Anthropic', 14, 400] as const),
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
  ],
  [
    ...(['Google', 24, 400] as const),
    {
      error: {
        ...{ code: 400, status: 'INVALID_ARGUMENT' },
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
  ],
  [
    ...(['Mistral', 28, 400] as const),
    { object: 'error', message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length' },
  ],
]

const shared = { model: 'm', messages: MESSAGES, max_tokens: 9 }
const SURFACES: [path: (stream: boolean) => string, body: object, expected: object][] = [
  [() => '/v1/chat/completions', shared, { error: { type: 'invalid_request_error', code: 'context_length_exceeded' } }],
  [
    () => '/v1/responses',
    { model: 'm', input: 'Hi', store: false },
    { error: { type: 'invalid_request_error', code: 'context_length_exceeded' } },
  ],
  [
    () => '/v1/messages',
    shared,
    { error: { type: 'invalid_request_error', message: expect.stringMatching(/^prompt is too long: /) } },
  ],
  [
    (stream) => `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    { error: { code: 400, status: 'INVALID_ARGUMENT' } },
  ],
]

test.each(VENDORS)(
  'a conversation that is too long for %s is refused in the words of the caller’s API',
  async (_, type, status, body) => {
    const { channel, post, account } = await relayFixture()
    const vendor = fakeVendor(() => Response.json(body, { status }))
    await channel('m', { type, base_url: vendor.url, key: 'k' })
    for (const [path, request, expected] of SURFACES)
      for (const { stream } of PLAIN_AND_STREAM) {
        const answer = await post(path(stream), 'contents' in request ? request : { ...request, stream })
        expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([400, 'false'])
        expect(await answer.json()).toMatchObject(expected)
      }
    expect(await account()).toMatchObject({ held: 0, quota: 1_000_000 })
  },
)

test('another invalid parameter is not taken for a long conversation', async () => {
  const { channel, post } = await relayFixture()
  const message = "Invalid value for 'search_context_size'"
  const vendor = fakeVendor(() => Response.json(openai(message, { code: 'invalid_value' }), { status: 400 }))
  await channel('m', { type: 8, base_url: vendor.url })
  expect(await (await post('/v1/chat/completions', shared)).json()).toMatchObject({ error: { code: 'invalid_value' } })
  expect(await (await post('/v1/messages', shared)).json()).toMatchObject({
    error: { message: expect.stringMatching(/^Invalid value/) },
  })
})

test('an overload at the start of a stream of Claude is one for Anthropic’s clients', async () => {
  const { channel, post } = await relayFixture()
  const event = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const vendor = fakeVendor(
    () =>
      new Response(`event: error\ndata: ${JSON.stringify(event)}\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      }),
  )
  await channel('m', { type: 14, base_url: vendor.url, key: 'k' })
  const answer = await post('/v1/messages', { ...shared, stream: true })
  expect(answer.status).toBe(529)
  expect(await answer.json()).toMatchObject({
    error: { type: 'overloaded_error', message: expect.stringMatching(/^Overloaded/) },
  })
  expect((await post('/v1/chat/completions', { ...shared, stream: true })).status).toBe(529)
})
