import { expect, test } from 'bun:test'
import { fakeVendor, type ReceivedRequest } from '../testing/fake-vendor.ts'
import { readStream, relayFixture } from '../testing/relay-fixture.ts'

const KEY = 'vendor-secret-1234567890'

const refusal = ({ headers }: ReceivedRequest) => ({
  error: { message: `Incorrect API key provided: ${headers.get('authorization')}`, type: 'invalid_request_error' },
})
const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`
const WORD = { choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: null }] }

test.each([
  { way: 'refused', answer: (asked: ReceivedRequest) => Response.json(refusal(asked), { status: 401 }) },
  { way: 'refused inside a 200', answer: (asked: ReceivedRequest) => Response.json(refusal(asked)) },
])('a vendor that repeats our key does not reveal it to the caller ($way)', async ({ answer }) => {
  const vendor = fakeVendor(answer)
  const { channel, chat, onlyLog } = await relayFixture()
  await channel('m', { base_url: vendor.url, key: KEY })
  const response = await chat('m')
  expect(response.ok).toBe(false)
  const answerText = await response.text()
  expect(answerText).toContain('Incorrect API key provided: Bearer ***')
  expect(answerText + JSON.stringify(await onlyLog())).not.toContain(KEY)
})

test('nor is it in the note of a test that passed', async () => {
  const vendor = fakeVendor(({ headers }) =>
    Response.json({
      choices: [{ message: { role: 'assistant', content: `You sent ${headers.get('authorization')}` } }],
    }),
  )
  const { app, root, channel } = await relayFixture()
  const { id } = await channel('m', { base_url: vendor.url, key: KEY })
  expect((await root.get(`/api/channel/test/${id}?model=m`)).success).toBe(true)
  const notes = JSON.stringify(await app.db.selectFrom('logs').selectAll().execute())
  expect(notes).toContain('You sent Bearer ***')
  expect(notes).not.toContain(KEY)
})

test('nor in the middle of a stream', async () => {
  const headers = { 'content-type': 'text/event-stream' }
  const vendor = fakeVendor((asked) => new Response(event(WORD) + event(refusal(asked)), { headers }))
  const { channel, chat, onlyLog } = await relayFixture()
  await channel('m', { base_url: vendor.url, key: KEY })
  const { error, text } = await readStream(await chat('m', { stream: true }))
  expect(error?.message).toContain('***')
  expect(text + JSON.stringify(await onlyLog())).not.toContain(KEY)
})
