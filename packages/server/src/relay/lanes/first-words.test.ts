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
import { strictHunyuan } from '../../testing/vendors/strict-hunyuan.ts'
import { strictMistral } from '../../testing/vendors/strict-mistral.ts'
import { strictOllama } from '../../testing/vendors/strict-ollama.ts'
import { strictOpenAi } from '../../testing/vendors/strict-openai.ts'
import { strictResponses } from '../../testing/vendors/strict-responses.ts'
import { type StrictVendor, strictVendor } from '../../testing/vendors/strict-vendor.ts'

/* Chat programs greet first, and keep the greeting. OpenAI's models take such a conversation; several vendors want the user to begin. */

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const VENDORS = [
  ...[strictAnthropic, strictBaidu, strictBedrock, strictCloudflare, strictCohere, strictDashScope, strictGemini],
  ...[strictHunyuan, strictMistral, strictOllama, strictOpenAi, strictResponses],
]

const GREETED = [
  { role: 'system', content: 'Be brief.' },
  { role: 'assistant', content: 'Hello! What can I do for you?' },
  { role: 'user', content: 'Hi' },
]
const called = { id: 'call00001', type: 'function', function: { name: 'tide', arguments: '{}' } }
const CALLED = [
  { role: 'assistant', content: 'Let me look.', tool_calls: [called] },
  { role: 'tool', tool_call_id: called.id, content: 'High' },
]
const TOOLS = [{ type: 'function', function: { name: 'tide', parameters: { type: 'object', properties: {} } } }]

test.each(VENDORS.map((vendor): [string, StrictVendor] => [vendor.name, vendor]))(
  'a conversation that the model began works with %s',
  async (_, vendor) => {
    const { channel, chat } = await relayFixture()
    const { url } = strictVendor(vendor, [SECOND])
    const { type, model, config = {} } = vendor
    await channel(model, { type, key: keyOfType(type), base_url: url, config: JSON.stringify(config) })
    const withTools = vendor.calls === 'none' ? [] : [{ messages: CALLED, tools: TOOLS }]
    for (const fields of [{ messages: GREETED }, ...withTools]) {
      const answer = await chat(model, fields)
      expect([fields, answer.status, await answer.text()]).toEqual([fields, 200, expect.any(String)])
    }
  },
)
