import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { STREAM_READERS } from '../../testing/surface-readers.ts'
import { BEDROCK_STREAMS, NOVA } from '../../testing/varied-streams/bedrock-streams.ts'
import { CHAT, CHAT_STREAMS, MISTRAL } from '../../testing/varied-streams/chat-streams.ts'
import { CLAUDE, CLAUDE_STREAMS } from '../../testing/varied-streams/claude-streams.ts'
import { framedOtherwise } from '../../testing/varied-streams/framed-otherwise.ts'
import { GEMINI, GEMINI_STREAMS } from '../../testing/varied-streams/gemini-streams.ts'
import { CODEX, RESPONSE_STREAMS } from '../../testing/varied-streams/responses-streams.ts'
import type { VariedStream } from '../../testing/varied-streams/varied-stream.ts'

// One server answers some two thousand calls, possibly on a busy machine.
setDefaultTimeout(240_000)

const STREAMS: [string, Record<string, VariedStream>][] = [
  ['chats', CHAT_STREAMS],
  ['Claude’s', CLAUDE_STREAMS],
  ['Gemini’s', GEMINI_STREAMS],
  ['responses', RESPONSE_STREAMS],
  ['Bedrock’s', BEDROCK_STREAMS],
]

test.each(STREAMS)('however streams arrive, every caller reads the same and pays the same: %s', async (_, streams) => {
  const { channel, key, app, logs } = await relayFixture({ options: { DefaultModelRatio: 1 }, quota: 100_000_000 })
  let current: () => Response | Promise<Response> = () => Response.error()
  const vendor = fakeVendor(() => current())
  const config = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"shh"}'
  for (const { type, model } of [CHAT, MISTRAL, CLAUDE, GEMINI, CODEX])
    await channel(model, { type, base_url: vendor.url, key: 'k' })
  await channel(NOVA.model, { type: NOVA.type, base_url: vendor.url, key: '', config })
  const wrong: object[] = []
  for (const [name, { answer, model }] of Object.entries(streams)) {
    for (const [surface, read] of Object.entries(STREAM_READERS)) {
      const received = () => read({ url: app.url, key, model }).catch(String)
      current = answer
      const expected = await received()
      for (const { how, answer: framed } of framedOtherwise(answer)) {
        // Google's own servers send data alone, and its libraries read nothing else.
        if (model === GEMINI.model && surface === 'contents' && how.startsWith('ids')) continue
        current = framed
        const differently = await received()
        if (!Bun.deepEquals(differently, expected)) wrong.push({ name, surface, how, differently, expected })
      }
    }
  }
  expect(wrong).toEqual([])
  const charged = (await logs()).map(({ prompt_tokens, completion_tokens }) => `${prompt_tokens} ${completion_tokens}`)
  expect(new Set(charged)).toEqual(new Set(['12 7']))
  expect(await app.audit()).toEqual([])
})
