import { describe, expect, test } from 'bun:test'
import { FIRST } from '../../testing/clients/conversation.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { strictAnthropic } from '../../testing/vendors/strict-anthropic.ts'
import { strictBedrock } from '../../testing/vendors/strict-bedrock.ts'
import { strictGemini } from '../../testing/vendors/strict-gemini.ts'
import { strictOpenAi } from '../../testing/vendors/strict-openai.ts'
import { strictResponses } from '../../testing/vendors/strict-responses.ts'
import { type StrictVendor, strictVendor } from '../../testing/vendors/strict-vendor.ts'

/* A channel's model mapping: which API the vendor gets is decided by its own model, not by the name that the caller used. */

const said = [{ role: 'user', content: 'Hi' }]
const CALLS: [string, (model: string) => [string, object]][] = [
  ['chats', (model) => ['/v1/chat/completions', { model, messages: said }]],
  ['responses', (model) => ['/v1/responses', { model, input: 'Hi' }]],
  ['messages', (model) => ['/v1/messages', { model, max_tokens: 99, messages: said }]],
  [
    'contents',
    (model) => [
      `/v1beta/models/${model}:generateContent`,
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { maxOutputTokens: 99 } },
    ],
  ],
]

const VENDORS: StrictVendor[] = [strictResponses, strictOpenAi, strictAnthropic, strictGemini, strictBedrock]
/** Names that mean another API, or none, at the same vendor. */
const NAMES = ['our-best', 'gpt-5.1', 'gpt-5.1-codex', 'claude-opus-4-5', 'gemini-2.5-pro']

describe.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))('%s', (_, vendor) => {
  test.each(CALLS)('answers %s under every name as under its own', async (_call, call) => {
    const { channel, post } = await relayFixture()
    const upstream = strictVendor(vendor, [FIRST])
    const { type, model, config = {} } = vendor
    const names = NAMES.filter((name) => name !== model)
    await channel([model, ...names].join(','), {
      ...{ type, base_url: upstream.url, config: JSON.stringify(config) },
      model_mapping: JSON.stringify(Object.fromEntries(names.map((name) => [name, model]))),
    })
    for (const name of [model, ...names]) {
      const answer = await post(...call(name))
      expect({ name, status: answer.status }).toEqual({ name, status: 200 })
      await answer.text()
    }
    const [own, ...others] = upstream.journal.map(({ path, body }) => ({ path, body }))
    for (const other of others) expect(other).toEqual({ path: own?.path ?? '', body: own?.body ?? {} })
  })
})
