import { expect, test } from 'bun:test'
import { answerWith } from './testing/fake-server.ts'

// The address is read when the module is loaded, because the build fixes it.
const { relayCall } = await import('./relay-call.ts')

const sent = (signal = new AbortController().signal) =>
  relayCall({ path: '/v1/messages', headers: { 'x-api-key': 'sk-a' }, body: { model: 'm' }, signal })

test('an answer includes its request id, its cost and its duration', async () => {
  let asked: { path: string; key: string | null; body: unknown } | undefined
  answerWith(async (request) => {
    asked = { path: new URL(request.url).pathname, key: request.headers.get('x-api-key'), body: await request.json() }
    return Response.json({ content: [] }, { headers: { 'x-request-id': 'r1', 'x-tollgate-cost': '12' } })
  })
  expect(await sent()).toMatchObject({ ok: true, body: { content: [] }, requestId: 'r1', cost: 12 })
  expect(asked).toEqual({ path: '/v1/messages', key: 'sk-a', body: { model: 'm' } })
})

test("a refusal is an answer with the relay's message, and does not end the session", async () => {
  const error = { message: 'This API key is disabled (request id: 01a1e223-916d)' }
  answerWith(() => Response.json({ error }, { status: 401 }))
  expect(await sent()).toMatchObject({ ok: false, status: 401, refusal: 'This API key is disabled', cost: undefined })
})

test('an answer that is not JSON is reported by its status', async () => {
  answerWith(() => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }))
  expect(await sent()).toMatchObject({ ok: false, status: 502, refusal: 'Bad Gateway', body: undefined })
})

test('a stopped call has no answer, whether it was pending or half read', async () => {
  const early = new AbortController()
  answerWith(() => {
    early.abort()
    return new Promise(() => undefined)
  })
  expect(await sent(early.signal)).toBeUndefined()

  const late = new AbortController()
  answerWith(
    () =>
      new Response(
        new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode('{"content":')),
          pull: () => late.abort(),
        }),
      ),
  )
  expect(await sent(late.signal)).toBeUndefined()
})
