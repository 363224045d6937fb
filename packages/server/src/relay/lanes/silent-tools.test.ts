import { expect, setDefaultTimeout, test } from 'bun:test'
import { keyOfType } from '../../testing/channel-makers.ts'
import { SECOND } from '../../testing/clients/conversation.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { strictAnthropic } from '../../testing/vendors/strict-anthropic.ts'
import { strictBaidu } from '../../testing/vendors/strict-baidu.ts'
import { strictBedrock } from '../../testing/vendors/strict-bedrock.ts'
import { strictCloudflare } from '../../testing/vendors/strict-cloudflare.ts'
import { strictCohere } from '../../testing/vendors/strict-cohere.ts'
import { strictDashScope } from '../../testing/vendors/strict-dashscope.ts'
import { strictGemini } from '../../testing/vendors/strict-gemini.ts'
import { strictGrok } from '../../testing/vendors/strict-grok.ts'
import { strictHunyuan } from '../../testing/vendors/strict-hunyuan.ts'
import { strictMistral } from '../../testing/vendors/strict-mistral.ts'
import { strictOllama } from '../../testing/vendors/strict-ollama.ts'
import { strictOpenAi } from '../../testing/vendors/strict-openai.ts'
import { strictResponses } from '../../testing/vendors/strict-responses.ts'
import { type StrictVendor, strictVendor } from '../../testing/vendors/strict-vendor.ts'

/* Many commands succeed without a word, and each API has several ways to say so. Some vendors refuse a message without content. */

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const VENDORS = [
  ...[strictAnthropic, strictBaidu, strictBedrock, strictCloudflare, strictCohere, strictDashScope, strictGemini],
  ...[strictGrok, strictHunyuan, strictMistral, strictOllama, strictOpenAi, strictResponses],
]

const ID = 'call00001'
const ASKED = { role: 'user', content: 'Tidy up' }
const schema = { type: 'object', properties: {} }

const afterChat = (content: unknown) => [
  '/v1/chat/completions',
  {
    messages: [
      ASKED,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: ID, type: 'function', function: { name: 'tidy', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: ID, content },
    ],
    tools: [{ type: 'function', function: { name: 'tidy', description: 'Tidies up', parameters: schema } }],
  },
]
const afterMessages = (result: object) => [
  '/v1/messages',
  {
    max_tokens: 99,
    messages: [
      ASKED,
      { role: 'assistant', content: [{ type: 'tool_use', id: ID, name: 'tidy', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: ID, ...result }] },
    ],
    tools: [{ name: 'tidy', description: 'Tidies up', input_schema: schema }],
  },
]
const afterResponses = (output: unknown) => [
  '/v1/responses',
  {
    store: false,
    input: [
      ASKED,
      { type: 'function_call', call_id: ID, name: 'tidy', arguments: '{}' },
      { type: 'function_call_output', call_id: ID, output },
    ],
    tools: [{ type: 'function', name: 'tidy', description: 'Tidies up', parameters: schema }],
  },
]

const SILENCES = [
  ...['', [{ type: 'text', text: '' }]].map(afterChat),
  ...[{}, { content: '' }, { content: [] }, { is_error: true, content: '' }].map(afterMessages),
  ...['', []].map(afterResponses),
] as [string, object][]

test.each(
  VENDORS.filter(({ calls }) => calls !== 'none').map((vendor): [string, StrictVendor] => [vendor.name, vendor]),
)('a tool that returned nothing is understood by %s', async (_, vendor) => {
  const { channel, post } = await relayFixture()
  const { url } = strictVendor(vendor, [SECOND])
  const { type, model, config = {} } = vendor
  await channel(model, { type, key: keyOfType(type), base_url: url, config: JSON.stringify(config) })
  for (const [path, body] of SILENCES) {
    const answer = await post(path, { model, ...body })
    expect([path, body, answer.status, await answer.text()]).toEqual([path, body, 200, expect.any(String)])
  }
})
