import { expect, onTestFinished, test } from 'bun:test'
import { keptAlive } from './kept-alive.ts'

const QUIET_MS = 20
const envelope = { success: true, message: '', data: 5 }

/** A server that answers only when the test says so. */
function slowServer(quietMs: number) {
  const answer = Promise.withResolvers<Response>()
  const server = Bun.serve({
    port: 0,
    fetch: () => keptAlive(answer.promise, new Headers({ 'x-request-id': '7' }), quietMs),
  })
  onTestFinished(() => server.stop(true))
  return { url: server.url.href, answer: answer.resolve }
}

test('an answer that arrives in time is passed on unchanged, with its status', async () => {
  const { url, answer } = slowServer(60_000)
  answer(Response.json({ success: false }, { status: 503 }))
  const response = await fetch(url)
  expect(response.status).toBe(503)
  expect(await response.text()).toBe('{"success":false}')
})

test('until the answer arrives spaces are sent, and all of it together is valid JSON', async () => {
  const { url, answer } = slowServer(QUIET_MS)
  const response = await fetch(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(response.headers.get('x-request-id')).toBe('7')
  let text = ''
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece
    // Or more: a busy machine sends several at once.
    if (text.length >= 3) answer(Response.json(envelope))
  }
  expect(text).toStartWith('   {')
  expect(JSON.parse(text)).toEqual(envelope)
})

test('a late refusal is in the envelope', async () => {
  const { url, answer } = slowServer(QUIET_MS)
  const response = await fetch(url)
  answer(Response.json({ success: false, message: 'no' }, { status: 500 }))
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ success: false, message: 'no' })
})
