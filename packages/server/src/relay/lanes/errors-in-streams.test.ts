import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Errors in the middle of a stream in OpenAI's dialect, in the forms in which vendors send them. */

const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  ...{ ...head, choices: [{ index: 0, delta, finish_reason, ...more }] },
})
const data = (body: object) => `data: ${JSON.stringify(body)}\n\n`
const DONE = 'data: [DONE]\n\n'

const STARTED = data(chunk({ role: 'assistant', content: '' })) + data(chunk({ content: 'High tide' }))
/** Our count of the two words. */
const DELIVERED = 3

const ERRORS: Record<string, [frames: string, message: string]> = {
  'in an object': [data({ error: { message: 'Out of memory', type: 'server_error', code: null } }), 'Out of memory'],
  'as text': [data({ error: 'Out of memory' }), 'Out of memory'],
  'inside a chunk': [
    data({ ...chunk({ content: '' }, 'error'), error: { code: 502, message: 'Out of memory' } }),
    'Out of memory',
  ],
  'inside a choice': [
    data(chunk({ content: '' }, 'error', { error: { code: 502, message: 'Out of memory' } })),
    'Out of memory',
  ],
  bare: [
    data({ object: 'error', message: 'Out of memory', type: 'InternalServerError', param: null, code: 500 }),
    'Out of memory',
  ],
  'by the name of the event': [`event: error\n${data({ message: 'Out of memory', code: 500 })}`, 'Out of memory'],
  'by the name of the event, as an object': [
    `event: error\n${data({ error: { message: 'Out of memory', type: 'server_error' } })}`,
    'Out of memory',
  ],
  'by the finish reason error': [data(chunk({}, 'error')), 'stopped with an error'],
  'by the finish reason network_error': [data(chunk({}, 'network_error')), 'stopped with an error'],
  'by the finish reason abort': [data(chunk({}, 'abort')), 'stopped with an error'],
}

test.each(Object.entries(ERRORS))(
  'an error is one for every client, costs what was delivered, and counts against the channel: %s',
  async (_, [frames, message]) => {
    for (const end of ['', DONE]) {
      const vendor = fakeVendor(
        () => new Response(STARTED + frames + end, { headers: { 'content-type': 'text/event-stream' } }),
      )
      const { app, channel, key, logs } = await relayFixture({ options: { DefaultModelRatio: 1 } })
      await channel('m', { type: 1, base_url: vendor.url, key: 'k' })
      const openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key, maxRetries: 0 })
      const anthropic = new Anthropic({ baseURL: app.url, apiKey: key, maxRetries: 0 })
      const messages = [{ role: 'user' as const, content: 'Tides?' }]
      const calls = [
        () => openai.chat.completions.stream({ model: 'm', messages }).finalChatCompletion(),
        () => anthropic.messages.stream({ model: 'm', max_tokens: 99, messages }).finalMessage(),
      ]
      for (const call of calls) {
        const error: unknown = await call().then<unknown, unknown>(
          () => 'an answer',
          (reason) => reason,
        )
        expect(String(error)).toContain(message)
      }
      const rows = await logs()
      expect(rows.map(({ completion_tokens }) => completion_tokens)).toEqual([DELIVERED, DELIVERED])
      for (const { outcome, detail } of rows) {
        expect({ outcome, ...detail }).toMatchObject({ outcome: 'upstream_error', flag: 'partial' })
      }
      expect(await app.audit()).toEqual([])
    }
  },
)

test.each(['error', 'network_error', 'abort'])(
  'a whole answer that stopped with an error is none, and another channel is asked: %s',
  async (finish_reason) => {
    const answer = (reason: string) => ({
      ...{ ...head, object: 'chat.completion', usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } },
      choices: [{ index: 0, message: { role: 'assistant', content: 'High' }, finish_reason: reason }],
    })
    const broken = fakeVendor(() => Response.json(answer(finish_reason)))
    const sound = fakeVendor(() => Response.json(answer('stop')))
    const { channel, post, logs } = await relayFixture({ options: { DefaultModelRatio: 1, RetryTimes: 2 } })
    await channel('m', { type: 1, base_url: broken.url, key: 'k', priority: 2 })
    await channel('m', { type: 1, base_url: sound.url, key: 'k', priority: 1 })
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      const asked = sound.asked.length
      expect((await post(path, { model: 'm', max_tokens: 9, messages: MESSAGES })).status).toBe(200)
      expect(sound.asked.length).toBe(asked + 1)
    }
    expect((await logs()).map(({ quota }) => quota)).toEqual([7, 7])
  },
)
