import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOfType } from '../../testing/channel-makers.ts'
import { FIRST, SECOND } from '../../testing/clients/conversation.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { strictAnthropic } from '../../testing/vendors/strict-anthropic.ts'
import { strictBedrock } from '../../testing/vendors/strict-bedrock.ts'
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

/* Real requests of agent programs, recorded by `npm run clients -- --record`, sent to their own vendor's dialect and to others. */

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

interface Recorded {
  program: string
  version: string
  requests: Sent[]
}

interface Sent {
  step: string
  method: string
  path: string
  headers: Record<string, string>
  body?: { model?: string; messages?: object[] }
}

/**
 * To models whose name it does not know, Claude Code says who can help it in a message of its own, after the user's words. It knows
 * those of Anthropic that refuse it.
 */
function withReminders(sent: Sent): Sent[] {
  const { path, body } = sent
  if (!path.startsWith('/v1/messages?') || body?.messages === undefined) return [sent]
  const reminder = { role: 'system', content: [{ type: 'text', text: 'Available agent types: general.' }] }
  return [sent, { ...sent, body: { ...body, messages: [...body.messages, reminder] } }]
}

const FOLDER = join(import.meta.dir, '../../testing/agents/fixtures')
const RECORDED: Recorded[] = readdirSync(FOLDER).map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
const VENDORS = [
  ...[strictAnthropic, strictGemini, strictOpenAi, strictResponses, strictBedrock, strictMistral, strictCohere],
  ...[strictGrok, strictOllama, strictDashScope, strictHunyuan],
]

const sentTo = (vendor: StrictVendor, requests: Sent[]) =>
  vendor === strictAnthropic ? requests : requests.flatMap(withReminders)

describe.each(RECORDED.map(({ program, version, requests }) => ({ program, version, requests })))(
  '$program $version',
  ({ requests }) => {
    test.each(VENDORS.map((vendor): [string, StrictVendor] => [vendor.name, vendor]))(
      'works with %s, request by request',
      async (_name, vendor) => {
        const { app, channel, key } = await relayFixture({ quota: 100_000_000 })
        const upstream = strictVendor(vendor, [{ ...SECOND, thinking: FIRST.thinking ?? { text: '', signature: '' } }])
        const { type, model, config = {} } = vendor
        await channel(model, { type, key: keyOfType(type), base_url: upstream.url, config: JSON.stringify(config) })
        for (const { method, path, headers, body } of sentTo(vendor, requests)) {
          const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', key)])
          const answer = await fetch(
            app.url + path.replace('KEY', key).replace(/(models\/)[^:/?]+/, `$1${vendor.model}`),
            {
              ...{ method, headers: Object.fromEntries(sent) },
              ...(body && { body: JSON.stringify(body.model === undefined ? body : { ...body, model: vendor.model }) }),
            },
          )
          const text = await answer.text()
          expect([method, path, answer.status, answer.ok ? '' : text]).toEqual([method, path, 200, ''])
          expect(text).not.toMatch(/^(event: (error|response\.failed)|data: \{"error":)/m)
        }
        expect(upstream.journal.length).toBeGreaterThan(0)
        expect(await app.audit()).toEqual([])
      },
    )
  },
)
