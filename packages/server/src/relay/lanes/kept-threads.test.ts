import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { FIRST, REPORT, SECOND, TIME } from '../../testing/clients/conversation.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { strictBedrock } from '../../testing/vendors/strict-bedrock.ts'
import { strictGemini } from '../../testing/vendors/strict-gemini.ts'
import { strictOpenAi } from '../../testing/vendors/strict-openai.ts'
import { strictVendor } from '../../testing/vendors/strict-vendor.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Anthropic's client lets the server store the conversation; vendors of other dialects store nothing. */

const object = { type: 'object', properties: {} } as const

test.each([strictGemini, strictOpenAi, strictBedrock])(
  "the tool runner of Anthropic's client works with $name, whole and streamed",
  async (vendor) => {
    const { app, key, channel } = await relayFixture()
    const upstream = strictVendor(vendor, [FIRST, SECOND])
    const { type, model, config = {} } = vendor
    await channel(model, { type, base_url: upstream.url, config: JSON.stringify(config) })
    const client = new Anthropic({ baseURL: app.url, apiKey: key, maxRetries: 0 })
    const request = {
      model,
      max_tokens: 8000,
      system: 'Be brief.',
      messages: [{ role: 'user' as const, content: 'What weather is it, and what time?' }],
      tools: [
        betaTool({ name: 'weather', description: 'w', inputSchema: object, run: async () => REPORT }),
        betaTool({ name: 'clock', description: 'c', inputSchema: object, run: async () => TIME }),
      ],
    }
    const whole = await client.beta.messages.toolRunner(request)
    expect(textOf(whole.content)).toBe(SECOND.text ?? '')
    const texts: string[] = []
    for await (const stream of client.beta.messages.toolRunner({ ...request, stream: true })) {
      texts.push(textOf((await stream.finalMessage()).content))
    }
    expect(texts).toEqual([FIRST.text ?? '', SECOND.text ?? ''])
    // The question, the system prompt and the tools are in every call, though the client sent them once.
    for (const { body } of upstream.journal) {
      const said = JSON.stringify(body)
      for (const word of ['Be brief.', 'What weather is it', 'clock']) expect(said).toContain(word)
    }
    expect(await app.audit()).toEqual([])
  },
)

const textOf = (content: readonly { type: string }[]) =>
  content.map((block) => ('text' in block ? String(block.text) : '')).join('')

test('a thread that is no longer stored is sent again by the client itself', async () => {
  const { app, key, channel } = await relayFixture()
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }]
  const vendor = fakeVendor(() =>
    Response.json({ id: 'c', choices, usage: { prompt_tokens: 3, completion_tokens: 1 } }),
  )
  await channel('gpt-4o', { type: 8, base_url: vendor.url, key: 'k' })
  const client = new Anthropic({ baseURL: app.url, apiKey: key, maxRetries: 0 })
  const thread = client.beta.messages.thread({ model: 'gpt-4o', max_tokens: 99 })
  for (const content of ['One', 'Two', 'Three']) {
    if (content === 'Three') app.clock.pass(60 * 60)
    expect(textOf((await thread.send({ role: 'user', content })).content)).toBe('Hello!')
  }
  const said = vendor.asked.map(({ body }) => Object(body).messages.map((message: object) => Object(message).content))
  expect(said).toEqual([['One'], ['One', 'Hello!', 'Two'], ['One', 'Hello!', 'Two', 'Hello!', 'Three']])
})
