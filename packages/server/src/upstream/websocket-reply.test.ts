import { expect, onTestFinished, test } from 'bun:test'
import { piecesOf, readText } from './reply.ts'
import { createSockets } from './sockets.ts'
import { sendOverWebSocket } from './websocket-reply.ts'

/** A vendor that sends as much as it can, and counts what was accepted. */
function flooding(count: number, size: number) {
  const state = { sent: 0, waited: 0 }
  const flood = (socket: Bun.ServerWebSocket<undefined>) => {
    while (state.sent < count) {
      const status = socket.send(`${state.sent++} ${'x'.repeat(size)}`)
      if (status === -1) {
        state.waited++
        return
      }
    }
    socket.close(1000)
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('', { status: 400 })),
    websocket: { message: flood, drain: flood },
  })
  onTestFinished(() => server.stop(true))
  return { url: `ws://127.0.0.1:${server.port}/`, state }
}

const ask = (url: string, signal = new AbortController().signal) =>
  sendOverWebSocket(createSockets(), { method: 'GET', url, headers: {}, body: 'go' }, { signal })

test('each message is one chunk, and a slow reader slows the vendor', async () => {
  const count = 400
  const { url, state } = flooding(count, 100_000)
  const answer = await ask(url)
  await answer.read()
  while (state.waited === 0) await Bun.sleep(1)
  // 40 MB in all: unread data stays with the vendor, except for the sockets' buffers.
  expect(state.sent).toBeLessThan(count)
  let next = 1
  for await (const piece of piecesOf(answer)) {
    const text = new TextDecoder().decode(piece)
    expect(text.slice(0, text.indexOf(' '))).toBe(String(next++))
    expect(text.length).toBeGreaterThan(100_000)
  }
  expect(next).toBe(count)
})

test('a refused upgrade is an answer with the status and message of the refusal', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('no', { status: 403 }) })
  onTestFinished(() => server.stop(true))
  const answer = await ask(`ws://127.0.0.1:${server.port}/`)
  expect({ status: answer.status, text: await readText(answer, 100) }).toEqual({ status: 403, text: 'no' })
})

test('an abort in the middle breaks the body', async () => {
  const { url } = flooding(400, 100_000)
  const caller = new AbortController()
  const answer = await ask(url, caller.signal)
  caller.abort()
  expect(await readText(answer, 100_000_000).catch((error: Error) => error.message)).toContain('broke off')
})
