import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/* Images are events of several megabytes. */

const IMAGE = 'iVBORw0KGgoA'.repeat(600_000)

const inPieces = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  const body = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + 50_000))
      at += 50_000
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

test('a large image in the last event of a response passes, and its usage is charged', async () => {
  const response = {
    ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
    output: [{ id: 'ig_1', type: 'image_generation_call', status: 'completed', result: IMAGE }],
    usage: { input_tokens: 21, output_tokens: 9, total_tokens: 30 },
  }
  const events = [
    { type: 'response.created', response: { ...response, output: [], status: 'in_progress', usage: null } },
    { type: 'response.completed', response },
  ]
  const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  const vendor = fakeVendor(() => inPieces(frames))
  const { channel, post, onlyLog, app } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('m', { type: 1, base_url: vendor.url, key: 'k' })
  const answer = await post('/v1/responses', { model: 'm', input: 'A tide', stream: true, store: false })
  expect((await answer.text()) === frames).toBe(true)
  // The image itself has the price of the model that made it.
  const { prompt_tokens, completion_tokens, quota, detail } = await onlyLog()
  expect({ prompt_tokens, completion_tokens, ...detail }).toMatchObject({
    ...{ prompt_tokens: 21, completion_tokens: 9, source: 'reported' },
  })
  expect(quota).toBeGreaterThan(30)
  expect(await app.audit()).toEqual([])
})

test.each(['/v1/chat/completions', '/v1/messages'])('a large image of Gemini is translated: %s', async (path) => {
  const frame = {
    candidates: [
      {
        ...{ index: 0, finishReason: 'STOP' },
        content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: IMAGE } }] },
      },
    ],
    usageMetadata: { promptTokenCount: 21, candidatesTokenCount: 9, totalTokenCount: 30 },
  }
  const vendor = fakeVendor(() => inPieces(`data: ${JSON.stringify(frame)}\n\n`))
  const { channel, post, onlyLog } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('m', { type: 24, base_url: vendor.url, key: 'k' })
  const answer = await post(path, { model: 'm', max_tokens: 99, messages: MESSAGES, stream: true })
  expect((await answer.text()).includes(IMAGE)).toBe(true)
  expect(await onlyLog()).toMatchObject({ quota: 30, outcome: 'success' })
})
