import { expect, test } from 'bun:test'
import { anthropic } from './anthropic/anthropic.ts'
import { bedrock } from './bedrock/bedrock.ts'
import { type PromptCaching, withCacheMarks } from './cache-marks.ts'
import type { ChatRequest } from './chat.ts'
import { dialects } from './dialects.ts'
import { aRequest, encoded, offered, WEATHER } from './testing/vendor-kit.ts'

const LONG = 'Keep to the rules of the harbour. '.repeat(500)

const AGENT = aRequest({
  model: 'claude-opus-4-5',
  tools: [WEATHER, { ...WEATHER, name: 'clock' }],
  messages: [
    { role: 'system', content: [{ type: 'text', text: LONG }] },
    { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
    { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name: 'weather', arguments: '{}' }] },
    { role: 'tool', callId: 'c1', content: [{ type: 'text', text: 'rain' }] },
    { role: 'assistant', content: [{ type: 'tool-call', id: 'c2', name: 'clock', arguments: '{}' }] },
    { role: 'tool', callId: 'c2', content: [{ type: 'text', text: 'noon' }] },
    { role: 'user', content: [{ type: 'text', text: 'And?' }] },
  ],
})

const marksIn = (body: object) => JSON.stringify(body).match(/"cache_control"|"cachePoint"/g)?.length ?? 0

const marksOf = async (request: ChatRequest, caching: PromptCaching = '') =>
  marksIn((await encoded(offered(anthropic, 'chat'), withCacheMarks(request, caching))).body)

test("an agent's tools, instructions and last two turns are marked, in the format of each Claude host", async () => {
  const { body } = await encoded(offered(anthropic, 'chat'), withCacheMarks(AGENT, ''))
  const cache_control = { type: 'ephemeral' }
  expect(marksIn(body)).toBe(4)
  expect(body.tools[1]).toMatchObject({ name: 'clock', cache_control })
  expect(body.system[0]).toMatchObject({ cache_control })
  expect(body.messages[2].content).toMatchObject([{ type: 'tool_result', cache_control }])
  expect(body.messages[4].content[1]).toMatchObject({ text: 'And?', cache_control })

  const access = { key: 'ak|sk|us-east-1', config: { ak: 'ak', sk: 'sk', region: 'us-east-1' } }
  const amazon = withCacheMarks({ ...AGENT, model: 'anthropic.claude-opus-4-5' }, '')
  expect(marksIn((await encoded(offered(bedrock, 'chat'), amazon, access)).body)).toBe(4)
})

test('a call without tools, or a short one, is not marked unless the channel marks all calls', async () => {
  const { tools: _, ...plain } = AGENT
  expect(await marksOf(plain)).toBe(0)
  expect(await marksOf(plain, 'always')).toBe(3)
  const short = { ...AGENT, messages: AGENT.messages.slice(1) }
  expect(await marksOf(short)).toBe(0)
  expect(await marksOf(short, 'always')).toBe(3)
  expect(await marksOf(AGENT, 'never')).toBe(0)
})

test('callers who set their own marks are left alone, and so is every other model', () => {
  const own = dialects['openai/chat'].parse({
    model: 'claude-opus-4-5',
    messages: [{ role: 'user', content: [{ type: 'text', text: LONG, cache_control: { type: 'ephemeral' } }] }],
    tools: [{ type: 'function', function: { name: 'f' } }],
  })
  expect(withCacheMarks(own, 'always')).toBe(own)
  const other = { ...AGENT, model: 'amazon.nova-2-lite-v1:0' }
  expect(withCacheMarks(other, 'always')).toBe(other)
})

test('the prompt of the next turn begins with what was marked in this one', () => {
  const next = withCacheMarks(
    {
      ...AGENT,
      messages: [
        ...AGENT.messages,
        { role: 'assistant', content: [{ type: 'text', text: 'Rain.' }] },
        ...AGENT.messages.slice(1, 2),
      ],
    },
    '',
  )
  expect(next.messages[6]?.content[0]).toMatchObject({ text: 'And?', cache: {} })
})
