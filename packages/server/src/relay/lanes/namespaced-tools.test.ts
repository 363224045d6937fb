import { expect, test } from 'bun:test'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

/* Codex offers tools in namespaces, its own and those of MCP servers; here to a model that only knows functions. */

const ANTHROPIC = 14
const TOOLS = [
  { type: 'function', name: 'shell', parameters: { type: 'object', properties: {} } },
  { type: 'web_search' },
  { type: 'image_generation' },
  {
    type: 'namespace',
    name: 'mcp__harbour',
    description: 'A harbour.',
    tools: [{ type: 'function', name: 'berths', parameters: { type: 'object', properties: { port: {} } } }],
  },
]
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' }
const called = { type: 'tool_use', id: 'toolu_1', name: 'mcp__harbour__berths' }
const usage = { input_tokens: 5, output_tokens: 7 }

const whole = () =>
  Response.json({ ...head, content: [{ ...called, input: { port: 'Brest' } }], stop_reason: 'tool_use', usage })

const streamed = () =>
  eventStream(
    { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { ...called, input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"port":"Brest"}' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  )

test.each([false, true])(
  'a call of a namespaced tool works in both directions, and the log names the tools that were left out (stream: %p)',
  async (stream) => {
    const { channel, post, logs, app } = await relayFixture({ quota: 10_000_000 })
    const vendor = fakeVendor(() => (stream ? streamed() : whole()))
    await channel('m', { type: ANTHROPIC, base_url: vendor.url })
    const ask = async (input: object[]) => {
      const answer = await post('/v1/responses', { model: 'm', store: false, stream, tools: TOOLS, input })
      if (!stream) return (await answer.json()).output
      const [, last = ''] = (await answer.text()).match(/^data: (.*"response\.completed".*)$/m) ?? []
      return JSON.parse(last).response.output
    }
    const [item] = await ask([{ role: 'user', content: 'Any berth?' }])
    const call = { type: 'function_call', call_id: 'toolu_1', namespace: 'mcp__harbour', name: 'berths' }
    expect(item).toMatchObject({ ...call, arguments: '{"port":"Brest"}' })
    await ask([
      { role: 'user', content: 'Any berth?' },
      item,
      { type: 'function_call_output', call_id: 'toolu_1', output: '12' },
    ])
    expect(vendor.asked.map(({ body }) => body)).toMatchObject([
      { tools: [{ name: 'shell' }, { name: 'mcp__harbour__berths' }, { type: 'web_search_20250305' }] },
      {
        messages: [
          { role: 'user' },
          { role: 'assistant', content: [{ ...called, input: { port: 'Brest' } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
        ],
      },
    ])
    for (const { detail } of await logs()) expect(detail.dropped_tools).toEqual(['image_generation'])
    expect(await app.audit()).toEqual([])
  },
)
