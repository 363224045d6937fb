import { expect, setDefaultTimeout, test } from 'bun:test'
import { LogType } from '@tollgate/contract'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Tools of types that are newer than this gateway. */

const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', stop_sequence: null },
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'screenshot', toolset_name: 'browser', input: {} }],
  usage: { input_tokens: 7, output_tokens: 5 },
}
const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
  output: [{ id: 'l_1', type: 'levitate_call', status: 'completed', height: 3 }],
  usage: { input_tokens: 7, output_tokens: 5, total_tokens: 12 },
}
const GENERATED = {
  candidates: [{ index: 0, content: { role: 'model', parts: [{ levitation: { height: 3 } }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 },
}
const AMAZON = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"shh"}'
const CLAUDE = 'us.anthropic.claude-opus-4-5-20251101-v1:0'

const ANTHROPIC_TOOLS = [
  { type: 'computer_toolset_20260801', configs: { zoom: { enabled: true } } },
  { type: 'browser_toolset_20260801' },
  { type: 'levitate_20270101', name: 'levitate', height: { max: 3 } },
]
const messages = (model: string) => ({ model, max_tokens: 9, messages: MESSAGES, tools: ANTHROPIC_TOOLS })

const NATIVE: [string, { model: string; fields: object; path: string; body: object; answer: object }][] = [
  [
    'Anthropic',
    { model: 'm', fields: { type: 14, key: 'k' }, path: '/v1/messages', body: messages('m'), answer: MESSAGE },
  ],
  [
    'Claude on Bedrock',
    {
      ...{ model: CLAUDE, fields: { type: 33, key: '', config: AMAZON } },
      ...{ path: '/v1/messages', body: messages(CLAUDE), answer: MESSAGE },
    },
  ],
  [
    'Responses',
    {
      ...{ model: 'm', fields: { type: 1, key: 'k' }, path: '/v1/responses', answer: RESPONSE },
      body: { model: 'm', input: 'Rise', store: false, tools: [{ type: 'levitate', height: 3 }] },
    },
  ],
  [
    'Gemini',
    {
      ...{ model: 'm', fields: { type: 24, key: 'k' }, path: '/v1beta/models/m:generateContent', answer: GENERATED },
      body: { contents: [{ role: 'user', parts: [{ text: 'Rise' }] }], tools: [{ levitate: { height: 3 } }] },
    },
  ],
]

test.each(NATIVE)(
  'on its own vendor’s channel a tool of an unknown type passes, and so does its answer: %s',
  async (_, call) => {
    const vendor = fakeVendor(() => Response.json(call.answer))
    const { channel, post, onlyLog, app } = await relayFixture({ options: { DefaultModelRatio: 1 } })
    await channel(call.model, { ...call.fields, base_url: vendor.url })
    const answer = await post(call.path, call.body)
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: call.answer })
    const tools = 'tools' in call.body ? call.body.tools : undefined
    expect(vendor.asked[0]?.body).toMatchObject({ tools })
    expect(await onlyLog()).toMatchObject({ prompt_tokens: 7, completion_tokens: 5 })
    expect(await app.audit()).toEqual([])
  },
)

test.each(ANTHROPIC_TOOLS)(
  'on another vendor’s channel $type is refused by its name, at no cost and without a request',
  async (tool) => {
    for (const type of [1, 24]) {
      const vendor = fakeVendor(() => Response.json({}))
      const { channel, post, onlyLog } = await relayFixture()
      await channel('m', { type, base_url: vendor.url, key: 'k' })
      const answer = await post('/v1/messages', { ...messages('m'), tools: [tool] })
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { type: 'error', error: { type: 'invalid_request_error', message: expect.stringContaining(tool.type) } },
      })
      expect(vendor.asked).toEqual([])
      expect(await onlyLog()).toMatchObject({ type: LogType.failed, quota: 0 })
    }
  },
)
