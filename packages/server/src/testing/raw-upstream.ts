import { onTestFinished } from 'bun:test'
import { createServer, type Socket } from 'node:net'

/** How a provider's machine can fail below HTTP. */
export type RawFault =
  | 'reset'
  | 'close'
  | 'reset-in-body'
  | 'cut-body'
  | 'cut-chunk'
  | 'reset-in-stream'
  | 'reset-at-end'
  | 'garbage'
  | 'status-999'
  | 'status-000'
  | 'nul-in-name'
  | 'latin1-in-name'
  | 'bare-line-feed'
  | 'many-lines'
  | 'bad-type'
  | 'stalled-body'
  | 'stalled-trailers'
  | 'bad-chunk'
  | 'null'
  | 'loud-type'
  | 'text-type'
  | 'error-after-end'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
const STREAM_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
const WORD = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: null }] })}\n\n`
const DONE = 'data: [DONE]\n\n'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

const COMPLETION = JSON.stringify({
  ...{ id: 'c', object: 'chat.completion', usage: { prompt_tokens: 11, completion_tokens: 10, total_tokens: 21 } },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Whole' }, finish_reason: 'stop' }],
})
const OK_BODY = `Content-Length: ${COMPLETION.length}\r\n\r\n${COMPLETION}`

const LAST = '0\r\n\r\n'
const labelled = (type: string) => STREAM_HEAD.replace('text/event-stream', type) + chunk(WORD)

/** Those in mid-stream wait until the test has seen the beginning arrive. */
const FAULTS: Record<RawFault, (socket: Socket, released: Promise<void>) => void> = {
  reset: (socket) => socket.resetAndDestroy(),
  close: (socket) => socket.end(),
  'reset-in-body': (socket) =>
    socket.write(`${HEAD}Content-Length: 5000\r\n\r\n{"id":`, () => socket.resetAndDestroy()),
  'cut-body': (socket) => socket.end(`${HEAD}Content-Length: 5000\r\n\r\n{"id":`),
  async 'cut-chunk'(socket, released) {
    socket.write(`${STREAM_HEAD}${chunk(WORD)}ff\r\ndata: {"choi`)
    await released
    socket.end()
  },
  async 'reset-in-stream'(socket, released) {
    socket.write(`${STREAM_HEAD}${chunk(WORD)}`)
    await released
    socket.resetAndDestroy()
  },
  async 'reset-at-end'(socket, released) {
    socket.write(`${STREAM_HEAD}${chunk(WORD)}${chunk(DONE)}`)
    await released
    socket.resetAndDestroy()
  },
  garbage: (socket) => socket.end('\u0000\u0001 this is not HTTP at all\r\n\r\n'),
  'status-999': (socket) => socket.write('HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}'),
  'status-000': (socket) => socket.write('HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\n{}'),
  'nul-in-name': (socket) => socket.write(`${HEAD}X-\0: 1\r\n${OK_BODY}`, 'latin1'),
  'latin1-in-name': (socket) => socket.write(`${HEAD}X-é: 1\r\n${OK_BODY}`, 'latin1'),
  'bare-line-feed': (socket) => socket.write('HTTP/1.1 200 OK\nContent-Type: application/json\n'),
  'many-lines': (socket) => socket.write(`${HEAD}${'X: y\r\n'.repeat(8_000)}${OK_BODY}`),
  'bad-type': (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\v\0\r\n${OK_BODY}`),
  'stalled-body': (socket) => socket.write(`${HEAD}Content-Length: 5000\r\n\r\n{"id":`),
  'stalled-trailers': (socket) =>
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk('{"id":1}')}0\r\nX-Trailer: 1\r\n`),
  async 'bad-chunk'(socket, released) {
    socket.write(`${STREAM_HEAD}${chunk(WORD)}`)
    await released
    socket.write('5\nhello\r\n')
  },
  null: (socket) => socket.write(`${HEAD}Content-Length: 4\r\n\r\nnull`),
  'loud-type': (socket) => socket.write(labelled('Text/Event-Stream; Charset=UTF-8') + chunk(DONE) + LAST),
  'text-type': (socket) => socket.write(labelled('text/plain') + chunk(DONE) + LAST),
  'error-after-end': (socket) =>
    socket.write(STREAM_HEAD + chunk(`${WORD}${DONE}data: {"error":{"message":"late"}}\n\n`) + LAST),
}

/** A provider that fails below HTTP, after it has read a whole request. It ends with the test. */
export const rawUpstream = async (fault: RawFault) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: hasAnswered, resolve: answered } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const [head = '', body] = text.split('\r\n\r\n', 2)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || body.length < length) return
      text = ''
      FAULTS[fault](socket, released)
      answered()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, release, hasAnswered }
}
