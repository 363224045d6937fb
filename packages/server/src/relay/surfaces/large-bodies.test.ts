import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Tens of megabytes are sent, possibly on a busy machine.
setDefaultTimeout(60_000)

const FORM = 'multipart/form-data; boundary=tide'

const PATHS = [
  { path: '/v1/chat/completions', type: 'application/json', says: { error: { type: 'invalid_request_error' } } },
  { path: '/v1/messages', type: 'application/json', says: { type: 'error', error: { type: 'request_too_large' } } },
  {
    ...{ path: '/v1beta/models/gemini-2.5-flash:generateContent', type: 'application/json' },
    says: { error: { code: 413, status: 'INVALID_ARGUMENT' } },
  },
  { path: '/v1/audio/transcriptions', type: FORM, says: { error: { type: 'invalid_request_error' } } },
  { path: '/v1/files', type: FORM, says: { error: { type: 'invalid_request_error' } } },
  { path: '/v1/videos', type: FORM, says: { error: { type: 'invalid_request_error' } } },
  { path: '/v1/videos', type: 'application/json', says: { error: { type: 'invalid_request_error' } } },
]

/** The answer to a header that announces this much, of which nothing is sent. */
const answerTo = (url: string, head: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(head))
    let text = ''
    socket.on('error', reject)
    socket.on('data', (piece) => {
      text += piece
      if (!text.includes('too large')) return
      socket.destroy()
      resolve(text)
    })
  })

test('a body beyond 32 MB is refused before it is sent, in the format of the dialect', async () => {
  const { app, key } = await relayFixture()
  for (const { path, type, says } of PATHS) {
    for (const bytes of [33 * 1024 * 1024, 80 * 1024 * 1024, 5 * 2 ** 30]) {
      const lines = [`POST ${path} HTTP/1.1`, 'host: tollgate', `authorization: Bearer ${key}`, `content-type: ${type}`]
      const text = await answerTo(app.url, `${[...lines, `content-length: ${bytes}`].join('\r\n')}\r\n\r\n`)
      expect([path, text.slice(0, 12)]).toEqual([path, 'HTTP/1.1 413'])
      expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject(says)
    }
  }
})

test('a body of unknown length is read up to 32 MB, and then refused', async () => {
  const { app, key } = await relayFixture()
  for (const { path, type, says } of PATHS) {
    const piece = new TextEncoder().encode(' '.repeat(1024 * 1024))
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        if (sent++ === 40) return controller.close()
        controller.enqueue(piece)
      },
    })
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const answer = await fetch(app.url + path, { method: 'POST', headers, body })
    expect([path, answer.status]).toEqual([path, 413])
    expect(await answer.json()).toMatchObject(says)
  }
})
