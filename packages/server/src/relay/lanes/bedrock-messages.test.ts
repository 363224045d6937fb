import { expect, setDefaultTimeout, test } from 'bun:test'
import { amazonStream, packed } from '../../testing/amazon-stream.ts'
import { fakeVendor, type ReceivedRequest } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const BEDROCK = 33
const MODEL = 'us.anthropic.claude-opus-4-5-20251101-v1:0'
const ASK = { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Tides?' }] }
const ANSWER = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: MODEL },
  content: [{ type: 'text', text: 'High at noon.', citations: [{ type: 'char_location', cited_text: 'noon' }] }],
  ...{ stop_reason: 'stop_sequence', stop_sequence: 'END' },
  usage: { input_tokens: 7, output_tokens: 5 },
}

const EVENTS = [
  { type: 'message_start', message: { ...ANSWER, content: [], stop_reason: null, usage: { input_tokens: 7 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Noon.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]

const inFrames = (events: readonly object[]) =>
  events.map((event) => packed('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') }))

async function claudeAtAmazon(answer: (asked: ReceivedRequest) => Response) {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const vendor = fakeVendor(answer)
  const config = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"shh"}'
  await fixture.channel(MODEL, { type: BEDROCK, base_url: vendor.url, key: '', config })
  return { ...fixture, vendor }
}

test('Messages to Claude on Bedrock pass through with every block, whole and streamed, signed and charged by its own usage', async () => {
  const { post, vendor, logs, app } = await claudeAtAmazon(({ path }) =>
    path.endsWith('/invoke') ? Response.json(ANSWER) : amazonStream(inFrames(EVENTS)),
  )
  const headers = { 'anthropic-beta': 'context-1m-2025-08-07, other' }
  expect(await (await post('/v1/messages', ASK, { headers })).json()).toEqual(ANSWER)
  const streamed = await post('/v1/messages', { ...ASK, stream: true })
  expect(streamed.headers.get('content-type')).toBe('text/event-stream')
  expect(await streamed.text()).toBe(
    EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  )

  const [whole, stream] = vendor.asked
  const { model: _, ...said } = ASK
  expect(whole?.body).toEqual({
    ...{ anthropic_version: 'bedrock-2023-05-31', anthropic_beta: ['context-1m-2025-08-07', 'other'] },
    ...said,
  })
  expect(whole?.headers.get('authorization')).toStartWith('AWS4-HMAC-SHA256')
  expect(whole?.headers.has('anthropic-beta')).toBe(false)
  expect(stream?.path).toEndWith('/invoke-with-response-stream')
  expect(stream?.body).toEqual({ anthropic_version: 'bedrock-2023-05-31', ...said })
  for (const row of await logs()) expect(row).toMatchObject({ prompt_tokens: 7, completion_tokens: 5 })
  expect(await app.audit()).toEqual([])
})

test('a stream that Amazon breaks off, or ends too early, is an error and charged for what was delivered', async () => {
  const broken = packed('modelStreamErrorException', { message: 'The model broke' }, 'exception')
  for (const [last, words] of [
    [[broken], 'The model broke'],
    [[], 'closed the stream before the end'],
  ] as const) {
    const { post, onlyLog, app } = await claudeAtAmazon(() => amazonStream([...inFrames(EVENTS.slice(0, 3)), ...last]))
    const answerText = await (await post('/v1/messages', { ...ASK, stream: true })).text()
    expect(answerText).toMatch(/^event: error$/m)
    expect(answerText).toContain(words)
    expect(answerText).not.toContain('message_stop')
    expect((await onlyLog()).detail).toMatchObject({ flag: 'partial' })
    expect(await app.audit()).toEqual([])
  }
})

test('what Bedrock does not support in Messages is translated, and a refused beta feature is requested only once', async () => {
  const { post, vendor } = await claudeAtAmazon(({ path, body }) => {
    if (path.endsWith('/converse')) {
      const message = { role: 'assistant', content: [{ text: 'Noon.' }] }
      const usage = { inputTokens: 7, outputTokens: 5, totalTokens: 12 }
      return Response.json({ output: { message }, stopReason: 'end_turn', usage })
    }
    const refused = JSON.stringify(body).includes('new-thing')
    return refused ? Response.json({ message: 'invalid beta flag' }, { status: 400 }) : Response.json(ANSWER)
  })
  const headers = { 'anthropic-beta': 'new-thing' }
  for (const _ of [1, 2]) expect((await post('/v1/messages', ASK, { headers })).status).toBe(200)
  const operations = vendor.asked.map(({ path }) => path.split('/').at(-1))
  expect(operations).toEqual(['invoke', 'converse', 'converse'])

  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  const refused = await post('/v1/messages', { ...ASK, tools })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain("'web_search_20250305'")
})
