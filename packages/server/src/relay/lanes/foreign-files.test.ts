import { expect, setDefaultTimeout, test } from 'bun:test'
import { LogType } from '@tollgate/contract'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Files that are stored at one vendor, for a model of another. */

const file = { type: 'input_file', file_id: 'file-abc' }
const CALLS: [string, { path: string; body: object; type: number; where: string }][] = [
  [
    "OpenAI's chats to Claude",
    {
      ...{ path: '/v1/chat/completions', type: 14, where: 'stored at OpenAI' },
      body: {
        ...{ model: 'm' },
        messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-abc' } }] }],
      },
    },
  ],
  [
    "OpenAI's Responses to Gemini",
    {
      ...{ path: '/v1/responses', type: 24, where: 'stored at OpenAI' },
      body: { model: 'm', store: false, input: [{ role: 'user', content: [file] }] },
    },
  ],
  [
    "Anthropic's messages to OpenAI",
    {
      ...{ path: '/v1/messages', type: 1, where: 'stored at Anthropic' },
      body: {
        ...{ model: 'm', max_tokens: 9 },
        messages: [
          { role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'file_011CNha8' } }] },
        ],
      },
    },
  ],
  [
    "Google's generateContent to Claude",
    {
      ...{ path: '/v1beta/models/m:generateContent', type: 14, where: 'stored at Google' },
      body: { contents: [{ role: 'user', parts: [{ fileData: { fileUri: 'gs://harbour/tide.pdf' } }] }] },
    },
  ],
]

test.each(CALLS)('%s: refused with the reason, at no cost and without a request', async (_, call) => {
  const vendor = fakeVendor(() => Response.json({}))
  const { channel, post, onlyLog, app } = await relayFixture()
  await channel('m', { type: call.type, base_url: vendor.url, key: 'k' })
  const answer = await post(call.path, call.body)
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    ...{ status: 400, body: { error: { message: expect.stringContaining(call.where) } } },
  })
  expect(vendor.asked).toEqual([])
  expect(await onlyLog()).toMatchObject({ type: LogType.failed, quota: 0 })
  expect(await app.audit()).toEqual([])
})

test('an image in Google’s store is left to Gemini, and not fetched', async () => {
  const generated = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'A quay.' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 },
  }
  const vendor = fakeVendor(() => Response.json(generated))
  const { channel, post } = await relayFixture()
  await channel('m', { type: 24, base_url: vendor.url, key: 'k' })
  const fileUri = 'https://generativelanguage.googleapis.com/v1beta/files/quay.png'
  const content = [{ type: 'image_url', image_url: { url: fileUri } }]
  const answer = await post('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content }] })
  expect(answer.status).toBe(200)
  expect(vendor.asked[0]?.body).toMatchObject({
    contents: [{ role: 'user', parts: [{ fileData: { fileUri, mimeType: 'image/png' } }] }],
  })
})
