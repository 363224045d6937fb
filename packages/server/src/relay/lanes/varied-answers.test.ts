import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { type ReadAnswer, STREAM_READERS, WHOLE_READERS } from '../../testing/surface-readers.ts'
import { BEDROCK_STREAMS, NOVA } from '../../testing/varied-streams/bedrock-streams.ts'
import { CHAT, CHAT_STREAMS, call, MISTRAL, USED } from '../../testing/varied-streams/chat-streams.ts'
import { CLAUDE, CLAUDE_STREAMS } from '../../testing/varied-streams/claude-streams.ts'
import { GEMINI, GEMINI_STREAMS } from '../../testing/varied-streams/gemini-streams.ts'
import { NEWEST_STREAMS } from '../../testing/varied-streams/newest-streams.ts'
import { CODEX, RESPONSE_STREAMS } from '../../testing/varied-streams/responses-streams.ts'
import type { VariedStream } from '../../testing/varied-streams/varied-stream.ts'

// One server answers some hundreds of calls, possibly on a busy machine.
setDefaultTimeout(120_000)

const STREAMS: Record<string, VariedStream> = {
  ...CHAT_STREAMS,
  ...CLAUDE_STREAMS,
  ...GEMINI_STREAMS,
  ...RESPONSE_STREAMS,
  ...BEDROCK_STREAMS,
  ...NEWEST_STREAMS,
}

const PLAIN: ReadAnswer = { text: '', thinking: '', calls: [], finish: 'stop', input: 12, output: 7 }

test('streams of every kind have the same meaning for every caller, and the same price', async () => {
  const { channel, key, logs, app } = await relayFixture({ options: { DefaultModelRatio: 1 }, quota: 100_000_000 })
  let current: VariedStream | undefined
  const vendor = fakeVendor(() => {
    if (current === undefined) throw new Error('No stream')
    return current.answer()
  })
  const config = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"shh"}'
  for (const { type, model } of [CHAT, MISTRAL, CLAUDE, GEMINI, CODEX])
    await channel(model, { type, base_url: vendor.url, key: 'k' })
  await channel(NOVA.model, { type: NOVA.type, base_url: vendor.url, key: '', config })
  const wrong: object[] = []
  for (const [name, one] of Object.entries(STREAMS)) {
    current = one
    for (const [surface, read] of Object.entries(STREAM_READERS)) {
      const received = await read({ url: app.url, key, model: one.model }).catch(String)
      const own = one.native?.surface === surface ? one.native.expected : one.expected
      const expected = { ...PLAIN, ...own }
      const { prompt_tokens, completion_tokens } = (await logs()).at(-1) ?? {}
      if (!Bun.deepEquals(received, expected)) wrong.push({ name, surface, received, expected })
      if (prompt_tokens !== 12 || completion_tokens !== 7)
        wrong.push({ name, surface, prompt_tokens, completion_tokens })
    }
  }
  expect(wrong).toEqual([])
  expect(await app.audit()).toEqual([])
})

const ARGUMENTS: [form: string, args: unknown, expected: object][] = [
  ['text', '{"port":"Kiel"}', { port: 'Kiel' }],
  ['an object', { port: 'Kiel' }, { port: 'Kiel' }],
  ['empty text', '', {}],
  ['null', null, {}],
  ['nothing', undefined, {}],
]

test.each(ARGUMENTS)(
  'arguments of a whole answer that are %s can be read by every client',
  async (_, args, expected) => {
    const { channel, app, key } = await relayFixture()
    const message = { role: 'assistant', content: null, tool_calls: [call(undefined, 'a', 'tide', args)] }
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
    const vendor = fakeVendor(() =>
      Response.json({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage: USED }),
    )
    await channel('chat', { type: 8, base_url: vendor.url })
    // A client that asks for a stream gets one, although this vendor sends none.
    for (const [surface, read] of Object.entries({ ...WHOLE_READERS, ...STREAM_READERS })) {
      const { calls } = await read({ url: app.url, key, model: 'chat' })
      expect([surface, calls]).toEqual([surface, [{ name: 'tide', args: expected }]])
    }
  },
)

test('an answer that Azure has filtered, which has no message, can be read by every client', async () => {
  const { channel, app, key } = await relayFixture()
  const choices = [{ index: 0, finish_reason: 'content_filter', content_filter_results: { hate: { filtered: true } } }]
  const vendor = fakeVendor(() =>
    Response.json({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage: USED }),
  )
  await channel('chat', { type: 8, base_url: vendor.url })
  for (const [surface, read] of Object.entries(WHOLE_READERS))
    expect([surface, await read({ url: app.url, key, model: 'chat' })]).toEqual([surface, { calls: [] }])
})
