import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { relayFixture } from '../../testing/relay-fixture.ts'

/** Sends bytes unchanged, then waits for the answer, or disconnects. Returns the status. */
async function sent(url: string, bytes: string, { leaves = false } = {}) {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const socket = connect(Number(port), hostname)
  socket.on('error', reject)
  socket.on('close', () => resolve(undefined))
  socket.on('data', (chunk) => {
    resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString())?.[1]))
    socket.destroy()
  })
  socket.write(bytes, () => leaves && socket.resetAndDestroy())
  return promise
}

test.each(['/v1/chat/completions', '/v1/images/edits', '/api/user/login'])(
  'a caller that disconnects while sending is not a server error, and costs nothing (%s)',
  async (path) => {
    const { app, key, channel, upstream, openHolds } = await relayFixture()
    await channel('m')
    const type = path === '/v1/images/edits' ? 'multipart/form-data; boundary=b' : 'application/json'
    const head = `POST ${path} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\n`
    await sent(app.url, `${head}Content-Length: 5000\r\n\r\n{"model":"m","mess`, { leaves: true })
    // Whatever the first left behind has been handled when the next one is answered.
    const whole = await sent(app.url, `${head}Content-Length: 2\r\n\r\n{}`)
    expect(whole).toBeGreaterThanOrEqual(400)
    expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
    expect(upstream.journal).toEqual([])
    expect(await openHolds()).toEqual([])
  },
)

test('an invalid Host is refused on every path', async () => {
  const { app, key } = await relayFixture()
  for (const path of ['/', '/api/status', '/v1/models', '/v1/realtime', '/v1/oneapi/proxy/1/x']) {
    for (const authorization of [`Authorization: Bearer ${key}\r\n`, '']) {
      const status = await sent(app.url, `GET ${path} HTTP/1.1\r\nHost: no host\r\n${authorization}\r\n`)
      expect([path, status]).toEqual([path, 400])
    }
  }
  expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('a chunked body is limited like one with a known length', async () => {
  const { app, key } = await relayFixture()
  const headers = { authorization: `Bearer ${key}` }
  let left = 33
  const body = new ReadableStream({
    pull(controller) {
      if (left-- === 0) controller.close()
      else controller.enqueue(new Uint8Array(1024 * 1024).fill(32))
    },
  })
  const response = await fetch(`${app.url}/v1/chat/completions`, { method: 'POST', headers, body })
  expect(response.status).toBe(413)
})
