import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test("a conversation started with a Gemini model continues at Claude with Anthropic's client, without what Claude did not sign", async () => {
  const { app, key, channel } = await relayFixture()
  const parts = [
    { text: 'They greet me.', thought: true },
    { text: 'Hello!', thoughtSignature: 'RXFrRQ==' },
  ]
  const google = fakeVendor(() => Response.json({ candidates: [{ content: { parts }, finishReason: 'STOP' }] }))
  const usage = { input_tokens: 5, output_tokens: 3 }
  const content = [
    { type: 'thinking', thinking: 'Again.', signature: 'RXNFQw==' },
    { type: 'text', text: 'Hello again!' },
  ]
  const claude = fakeVendor(() => Response.json({ type: 'message', role: 'assistant', content, usage }))
  await channel('gemini-3-flash', { type: 24, base_url: google.url, key: 'k' })
  await channel('claude-opus-4-5', { type: 14, base_url: claude.url, key: 'k' })
  const client = new Anthropic({ baseURL: app.url, apiKey: key, maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hi' }]
  for (const model of ['gemini-3-flash', 'claude-opus-4-5', 'claude-opus-4-5', 'gemini-3-flash']) {
    const answer = await client.messages.create({ model, max_tokens: 99, messages })
    messages.push({ role: 'assistant', content: answer.content }, { role: 'user', content: 'And?' })
  }
  const claudesTurns = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'text', text: 'Hello!' }] },
    { role: 'user', content: 'And?' },
    { role: 'assistant', content },
    { role: 'user', content: 'And?' },
  ]
  expect(claude.asked.map(({ body }) => Object(body).messages)).toEqual([claudesTurns.slice(0, 3), claudesTurns])
  // Google gets its own signature back in its original place.
  expect(Object(google.asked[1]?.body).contents[1].parts).toEqual([
    { text: 'Hello!' },
    { text: '', thoughtSignature: 'RXFrRQ==' },
  ])
})

test('calls that a vendor did not name get names that are unique among turns, and valid for every vendor', async () => {
  const { app, key, channel } = await relayFixture()
  const functionCall = { name: 'tide', args: {} }
  const parts = [{ functionCall }, { functionCall }]
  const whole = { candidates: [{ content: { parts }, finishReason: 'STOP' }] }
  const google = fakeVendor(({ path }) =>
    path.includes('stream')
      ? new Response(`data: ${JSON.stringify(whole)}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
      : Response.json(whole),
  )
  await channel('gemini-1.5-flash', { type: 24, base_url: google.url, key: 'k' })
  const client = new Anthropic({ baseURL: app.url, apiKey: key, maxRetries: 0 })
  const request = { model: 'gemini-1.5-flash', max_tokens: 99, messages: [{ role: 'user' as const, content: 'Hi' }] }
  const answers = [await client.messages.create(request), await client.messages.stream(request).finalMessage()]
  const ids = answers.flatMap(({ content }) => content.map((block) => ('id' in block ? block.id : '')))
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/)
})

test.each([false, true])(
  "reasoning of xAI's models is only sent to xAI, and that of OpenAI's only to OpenAI (stream: %p)",
  async (stream) => {
    const { app, key, channel } = await relayFixture()
    const vendorOf = (encrypted_content: string) =>
      fakeVendor(() => {
        const output = [
          { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content },
          { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello!' }] },
        ]
        const usage = { input_tokens: 5, output_tokens: 3, total_tokens: 8 }
        const response = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output, usage }
        if (!stream) return Response.json(response)
        const done = output.flatMap((item, output_index) =>
          ['added', 'done'].map((end) => ({ type: `response.output_item.${end}`, output_index, item })),
        )
        const created = { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } }
        return eventStream(created, ...done, { type: 'response.completed', response })
      })
    const [xai, openai] = [vendorOf('Z3Jvaw=='), vendorOf('gAAAAABo')]
    await channel('grok-4', { type: 45, base_url: xai.url, key: 'k' })
    await channel('gpt-5', { type: 1, base_url: openai.url, key: 'k' })
    const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key, maxRetries: 0 })
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Hi' }]
    for (const model of ['grok-4', 'gpt-5', 'grok-4', 'gpt-5']) {
      const request = { model, input, store: false, include: ['reasoning.encrypted_content' as const] }
      const { output } = await (stream
        ? client.responses.stream(request).finalResponse()
        : client.responses.create(request))
      input.push(...(output as OpenAI.Responses.ResponseInput), { role: 'user', content: 'And?' })
    }
    const thoughts = (vendor: typeof xai) =>
      vendor.asked.map(({ body }) =>
        Object(body).input.flatMap((item: { encrypted_content?: string }) => item.encrypted_content ?? []),
      )
    expect(thoughts(xai)).toEqual([[], ['Z3Jvaw==']])
    expect(thoughts(openai)).toEqual([[], ['gAAAAABo']])
    expect(await app.audit()).toEqual([])
  },
)
