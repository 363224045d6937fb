import { expect, setDefaultTimeout, test } from 'bun:test'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { type ReceivedRequest, replayedVendors } from '../../testing/replayed-vendors.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const VERTEX = 42
const MODEL = 'claude-opus-4-5'
const ASK = { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Tides?' }] }
const ANSWER = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: MODEL },
  content: [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tides' } },
    {
      type: 'text',
      text: 'High at noon.',
      citations: [{ type: 'char_location', cited_text: 'noon', document_index: 0 }],
    },
  ],
  ...{ stop_reason: 'stop_sequence', stop_sequence: 'END' },
  usage: { input_tokens: 7, output_tokens: 5 },
}

const STREAM = [
  { type: 'message_start', message: { ...ANSWER, content: [], stop_reason: null, usage: { input_tokens: 7 } } },
  { type: 'content_block_start', index: 0, content_block: ANSWER.content[0] },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('')

const NO_BETA = 'Unexpected value(s) `new-thing` for the `anthropic-beta` header.'
const NO_ROLE = 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter.'

async function claudeAtGoogle(refuses: (asked: ReceivedRequest) => boolean = () => false, message = NO_BETA) {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const vendors = replayedVendors((asked) => {
    if (!asked.path.includes('awPredict')) return undefined
    if (refuses(asked)) {
      return Response.json({ type: 'error', error: { type: 'invalid_request_error', message } }, { status: 400 })
    }
    if (asked.path.endsWith(':rawPredict')) return Response.json(ANSWER)
    return new Response(STREAM, { headers: { 'content-type': 'text/event-stream' } })
  })
  await fixture.channel(MODEL, vendors.fieldsOf(VERTEX))
  const predictions = () => vendors.journal.filter(({ path }) => path.includes('awPredict'))
  return { ...fixture, predictions, stop: vendors.stop }
}

test('Messages to Claude on Vertex pass through with every block, whole and streamed, and are charged by its own usage', async () => {
  const { post, predictions, logs, app, stop } = await claudeAtGoogle()
  const headers = { 'anthropic-beta': 'context-1m-2025-08-07' }
  expect(await (await post('/v1/messages', ASK, { headers })).json()).toEqual(ANSWER)
  expect(await (await post('/v1/messages', { ...ASK, stream: true }, { headers })).text()).toBe(STREAM)
  const [whole, streamed] = predictions()
  expect(whole?.path).toEndWith(`${MODEL}:rawPredict`)
  expect(streamed?.path).toEndWith(`${MODEL}:streamRawPredict`)
  expect(whole?.headers.get('anthropic-beta')).toBe('context-1m-2025-08-07')
  const { model: _, ...said } = ASK
  expect(JSON.parse(whole?.body ?? '')).toEqual({ anthropic_version: 'vertex-2023-10-16', ...said })
  for (const row of await logs()) expect(row).toMatchObject({ prompt_tokens: 7, completion_tokens: 5 })
  expect(await app.audit()).toEqual([])
  await stop()
})

test('a beta feature that Google does not have is left out, and requested only once', async () => {
  const { post, predictions, stop } = await claudeAtGoogle(({ headers }) => headers.has('anthropic-beta'))
  for (const _ of [1, 2]) {
    const answer = await post('/v1/messages', ASK, { headers: { 'anthropic-beta': 'new-thing' } })
    expect(await answer.json()).toMatchObject({ content: [{ type: 'text', text: 'High at noon.' }] })
  }
  expect(predictions().map(({ headers }) => headers.has('anthropic-beta'))).toEqual([true, false, false])
  await stop()
})

test('instructions among the messages that a host of Claude refuses are part of its system prompt, and this is cached', async () => {
  const isRefused = ({ body }: ReceivedRequest) => body.includes('"role":"system"')
  const { post, predictions, app, stop } = await claudeAtGoogle(isRefused, NO_ROLE)
  const late = { ...ASK, messages: [...ASK.messages, { role: 'system', content: 'Be brief.' }] }
  for (const body of [late, late, ASK]) {
    const answer = await post('/v1/messages', body)
    expect(await answer.json()).toMatchObject({ stop_reason: body === ASK ? 'stop_sequence' : 'end_turn' })
  }
  const sent = predictions().map(({ body }) => JSON.parse(body))
  expect(sent.map(({ messages }) => messages.length)).toEqual([2, 1, 1, 1])
  expect(JSON.stringify(sent[2].system)).toContain('Be brief.')
  expect(sent[3]).not.toHaveProperty('system')
  expect(await app.audit()).toEqual([])
  await stop()
})
