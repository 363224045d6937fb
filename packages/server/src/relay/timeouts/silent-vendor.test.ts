import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const framed = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** A channel to Claude, whose stream the test writes itself. */
async function slowClaude() {
  const fixture = await relayFixture()
  const { readable, writable } = new TransformStream<string, string>()
  const headers = { 'content-type': 'text/event-stream' }
  const upstream = fakeVendor(() => new Response(readable.pipeThrough(new TextEncoderStream()), { headers }))
  await fixture.channel('claude-opus-4-5', { type: 14, base_url: upstream.url, key: 'k' })
  return { ...fixture, vendor: writable.getWriter() }
}

test('a vendor that thinks for minutes and only sends keep-alives is waited for, and the client’s connection is kept open', async () => {
  const { app, post, onlyLog, vendor } = await slowClaude()
  const asked = post('/v1/chat/completions', { model: 'claude-opus-4-5', messages: MESSAGES, stream: true })
  void vendor.write(framed({ type: 'message_start', ...{ message: { id: 'm', usage: { input_tokens: 4 } } } }))
  const client = (await asked).body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await client?.read())?.value).toContain('"role":"assistant"')
  for (const word of [framed({ type: 'ping' }), ': PROCESSING\n\n', framed({ type: 'ping' })]) {
    app.clock.pass(50)
    void vendor.write(word)
    expect((await client?.read())?.value).toBe(': keep-alive\n\n')
    app.parts.watchdog.check()
  }
  const delta = { type: 'text_delta', text: 'At last.' }
  void vendor.write(framed({ type: 'content_block_delta', ...{ index: 0, delta } }))
  expect((await client?.read())?.value).toContain('At last.')
  const usage = { output_tokens: 3 }
  void vendor.write(framed({ type: 'message_delta', ...{ delta: { stop_reason: 'end_turn' }, usage } }))
  void vendor.close()
  let rest = ''
  for (let read = await client?.read(); read?.done === false; read = await client?.read()) rest += read.value
  expect(rest).toEndWith('data: [DONE]\n\n')
  expect(await onlyLog()).toMatchObject({ prompt_tokens: 4, completion_tokens: 3 })
})

const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'write', input: {} }
const grow = (partial_json: string) =>
  framed({ type: 'content_block_delta', ...{ index: 0, delta: { type: 'input_json_delta', partial_json } } })

test("Google's caller, who receives whole calls, is kept waiting without any line before the call, however long it takes", async () => {
  const { app, post, vendor } = await slowClaude()
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
  const asked = post('/v1beta/models/claude-opus-4-5:streamGenerateContent?alt=sse', { contents })
  void vendor.write(framed({ type: 'content_block_start', ...{ index: 0, content_block: TOOL } }) + grow('{"text":"'))
  for (const letter of 'abc') {
    app.clock.pass(50)
    await vendor.write(grow(letter))
    app.parts.watchdog.check()
  }
  void vendor.write(grow('"}'))
  void vendor.write(framed({ type: 'message_delta', ...{ delta: { stop_reason: 'tool_use' } } }))
  void vendor.close()
  const text = await (await asked).text()
  expect(text).toStartWith('data: {')
  expect(text).not.toMatch(/^:/m)
  expect(text).toContain('"functionCall":{"id":"toolu_1","name":"write","args":{"text":"abc"}}')
})
