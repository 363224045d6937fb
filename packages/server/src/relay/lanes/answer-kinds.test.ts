import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { chatAnswer } from '../../testing/answer-kinds/chat-answer.ts'
import { geminiAnswer } from '../../testing/answer-kinds/gemini-answer.ts'
import { CALL, TEXT } from '../../testing/answer-kinds/library-kinds.ts'
import { BLOCKS, messagesAnswer } from '../../testing/answer-kinds/messages-answer.ts'
import { EVENTS, ITEMS, responsesAnswer } from '../../testing/answer-kinds/responses-answer.ts'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/*
 * Every kind of block, item, part and event in the types of the official libraries, in one answer of each vendor's API, read by
 * every official client: no exception, no lost word, no lost call, and the tokens add up.
 */

interface Vendor {
  type: number
  model: string
  whole: object
  events: object[]
}

const VENDORS: Record<string, Vendor> = {
  chat: { type: 1, model: 'gpt-4o', ...chatAnswer },
  responses: { type: 1, model: 'gpt-5.1-codex', ...responsesAnswer },
  messages: { type: 14, model: 'claude-opus-4-5', ...messagesAnswer },
  gemini: { type: 24, model: 'gemini-2.5-pro', ...geminiAnswer },
}

interface ClientCall {
  url: string
  key: string
  model: string
  streamed: boolean
}

interface Read {
  text: string
  calls: { name: string; args: unknown }[]
  tokens: number
}

const SCHEMA = { type: 'object' as const, properties: { berth: { type: 'integer' } } }

const CLIENTS: Record<string, (call: ClientCall) => Promise<Read>> = {
  async chat({ url, key, model, streamed }) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    const tools = [{ type: 'function' as const, function: { name: CALL.name, parameters: SCHEMA } }]
    const request = { model, messages: [{ role: 'user' as const, content: 'Hi' }], tools }
    const { choices, usage } = streamed
      ? await client.chat.completions
          .stream({ ...request, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(request)
    const own = choices[0]?.message
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0))
    expect(choices[0]?.finish_reason).toBe('tool_calls')
    return {
      text: own?.content ?? '',
      calls: (own?.tool_calls ?? []).flatMap((call) =>
        call.type === 'function' ? [{ name: call.function.name, args: JSON.parse(call.function.arguments) }] : [],
      ),
      tokens: usage?.total_tokens ?? 0,
    }
  },
  async responses({ url, key, model, streamed }) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    const tools = [{ type: 'function' as const, name: CALL.name, parameters: SCHEMA, strict: false }]
    const request = { model, input: 'Hi', store: false, tools }
    const { output_text, output, usage, status } = streamed
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request)
    expect(usage?.total_tokens).toBe((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0))
    expect(status).toBe('completed')
    return {
      text: output_text,
      calls: output.flatMap((own) =>
        own.type === 'function_call' ? [{ name: own.name, args: JSON.parse(own.arguments) }] : [],
      ),
      tokens: usage?.total_tokens ?? 0,
    }
  },
  async messages({ url, key, model, streamed }) {
    const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
    const tools = [{ name: CALL.name, input_schema: SCHEMA }]
    const request = { model, max_tokens: 64, messages: [{ role: 'user' as const, content: 'Hi' }], tools }
    const { content, usage, stop_reason } = streamed
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    expect(stop_reason).toBe('tool_use')
    return {
      text: content.flatMap((own) => (own.type === 'text' ? [own.text] : [])).join(''),
      calls: content.flatMap((own) => (own.type === 'tool_use' ? [{ name: own.name, args: own.input }] : [])),
      tokens:
        usage.input_tokens +
        (usage.cache_read_input_tokens ?? 0) +
        (usage.cache_creation_input_tokens ?? 0) +
        usage.output_tokens,
    }
  },
  async gemini({ url, key, model, streamed }) {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
    const tools = [{ functionDeclarations: [{ name: CALL.name, parametersJsonSchema: SCHEMA }] }]
    const request = { model, contents: 'Hi', config: { tools } }
    const pieces: GenerateContentResponse[] = []
    if (streamed) for await (const piece of await client.models.generateContentStream(request)) pieces.push(piece)
    else pieces.push(await client.models.generateContent(request))
    const parts = pieces.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    const usage = pieces.findLast(({ usageMetadata }) => usageMetadata !== undefined)?.usageMetadata
    const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0, totalTokenCount = 0 } = usage ?? {}
    expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount + thoughtsTokenCount)
    expect(pieces.some(({ candidates }) => candidates?.[0]?.finishReason === 'STOP')).toBe(true)
    return {
      text: parts.flatMap(({ text = '', thought }) => (thought ? [] : [text])).join(''),
      calls: parts.flatMap(({ functionCall: own }) =>
        own === undefined ? [] : [{ name: own.name ?? '', args: own.args }],
      ),
      tokens: totalTokenCount,
    }
  },
}

test('the answers contain every kind that the libraries know', () => {
  for (const kinds of [BLOCKS, ITEMS, EVENTS]) {
    expect(kinds.length).toBeGreaterThan(15)
    expect(kinds).not.toContain('')
  }
})

/** Its own client, which waits for events and gets none from the vendor. */
test.each(Object.entries(VENDORS))(
  'a whole answer of %s is a stream to a client that asked for one',
  async (name, vendor) => {
    const { app, channel, key, onlyLog } = await relayFixture()
    const { model, type, whole } = vendor
    const upstream = fakeVendor(() => Response.json(whole))
    await channel(model, { type, base_url: upstream.url, key: 'k' })
    const read = await CLIENTS[name]?.({ url: app.url, key, model, streamed: true })
    expect(read).toEqual({ text: TEXT, calls: [CALL], tokens: 29 })
    expect(await onlyLog()).toMatchObject({ prompt_tokens: 20, completion_tokens: 9 })
    expect(await app.audit()).toEqual([])
  },
)

describe.each(Object.entries(VENDORS))('an answer in the API of %s', (_, { type, model, whole, events }) => {
  test.each(Object.entries(CLIENTS))('is read by the client of %s, whole and streamed', async (_surface, client) => {
    const { app, channel, key, logs } = await relayFixture()
    const isChat = model === 'gpt-4o'
    const vendor = fakeVendor(async ({ path, body }) => {
      const isStreamed =
        path.includes('stream') ||
        (typeof body === 'object' && body !== null && 'stream' in body && body.stream === true)
      if (!isStreamed) return Response.json(whole)
      const streamed = await eventStream(...(events as Record<string, unknown>[])).text() // the events of the answers are objects
      const headers = { 'content-type': 'text/event-stream' }
      return new Response(isChat ? `${streamed}data: [DONE]\n\n` : streamed, { headers })
    })
    // A custom server has chats only.
    await channel(model, { type: isChat ? 8 : type, base_url: vendor.url, key: 'k' })
    for (const streamed of [false, true]) {
      expect(await client({ url: app.url, key, model, streamed })).toEqual({ text: TEXT, calls: [CALL], tokens: 29 })
    }
    for (const { prompt_tokens, completion_tokens } of await logs()) {
      expect([prompt_tokens, completion_tokens]).toEqual([20, 9])
    }
    expect(await app.audit()).toEqual([])
  })
})
