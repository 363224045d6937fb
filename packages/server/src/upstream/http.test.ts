import { expect, onTestFinished, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { upstreamTextIn } from '../common/upstream-sentences.ts'
import { httpWith, serve } from '../testing/outside/checked-http.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { createCheckedHosts } from './checked-hosts.ts'
import { createHttp } from './http.ts'
import { failureIn } from './open.ts'

test('a server that does not answer times out', async () => {
  const { port } = serve(() => new Promise<Response>(() => {}))
  const work = createHttp({ timeoutMs: 30 }).request(`http://127.0.0.1:${port}/`, { policy: 'admin' })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.failed', cause: `http://127.0.0.1:${port}: time-out` })
})

test('a resolver that does not answer times out', async () => {
  const hosts = createCheckedHosts({ resolve: () => new Promise<string[]>(() => {}) })
  const work = createHttp({ hosts, timeoutMs: 30 }).request('http://slow.test/', { policy: 'admin' })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.failed', cause: 'http://slow.test: time-out' })
})

test('a body that stops in the middle times out when it is read at once', async () => {
  const { port } = serve(() => new Response(endless({ chunks: 1 })))
  const work = createHttp().text(`http://127.0.0.1:${port}/`, { policy: 'admin', timeoutMs: 50 })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.failed', cause: `http://127.0.0.1:${port}: time-out` })
})

test('a stream lives longer than the header timeout, and ends with the caller’s signal', async () => {
  const cancelled = Promise.withResolvers<void>()
  const streaming = serve(() => new Response(endless({ chunks: 2, onCancel: cancelled.resolve })))
  const silent = serve(() => new Promise<Response>(() => {}))
  // Long enough for a server on this machine to answer, however busy it is.
  const http = createHttp({ timeoutMs: 2000 })
  const leaving = new AbortController()
  const options = { policy: 'admin', signal: leaving.signal } as const
  const reply = await http.request(`http://127.0.0.1:${streaming.port}/`, options)
  // A second request with the same timeout is the clock: when it times out, the first one's time is over too.
  await refusal(http.request(`http://127.0.0.1:${silent.port}/`, { policy: 'admin' }))

  expect((await reply.read())?.length).toBeGreaterThan(0)
  leaving.abort(new Error('the caller left'))
  await expect(reply.read()).rejects.toThrow('the caller left')
  await cancelled.promise
})

test('a header that cannot be sent is not an unreachable server: the channel is to blame, and the header is named', async () => {
  const { port } = serve(() => new Response('ok'))
  const headers = { 'x-api-key': 'sk-密钥' }
  const work = createHttp().request(`http://127.0.0.1:${port}/`, { policy: 'admin', headers })
  const failure = failureIn(await work.catch((error: unknown) => error))
  expect(failure).toMatchObject({ blame: 'channel', class: 'server', status: 502 })
  expect(failure.message).toStartWith('The request was not sent: its header x-api-key has')
  expect(failure.message).not.toContain('sk-')
  expect(upstreamTextIn(failure.message, 'zh')).toStartWith('请求没有发出：请求头 x-api-key ')
})

test('a caller who disconnects before the headers gets their own reason back', async () => {
  const leaving = new AbortController()
  const { port } = serve(() => {
    leaving.abort(new Error('the caller left'))
    return new Promise<Response>(() => {})
  })
  const work = createHttp().request(`http://127.0.0.1:${port}/`, { policy: 'admin', signal: leaving.signal })
  await expect(work).rejects.toThrow('the caller left')
})

test('an answer that is too long is dropped, not collected', async () => {
  const cancelled = Promise.withResolvers<void>()
  const { port } = serve(() => new Response(endless({ chunks: Number.POSITIVE_INFINITY, onCancel: cancelled.resolve })))
  const work = createHttp().text(`http://127.0.0.1:${port}/`, { policy: 'admin', maxBytes: 4096 })
  expect(await refusal(work)).toMatchObject({
    code: 'outbound.failed',
    cause: `http://127.0.0.1:${port}: the answer is longer than 4096 bytes`,
  })
  await cancelled.promise
})

test('a small compressed answer that expands too much is dropped', async () => {
  const bomb = Bun.gzipSync(new Uint8Array(8 * 1024 * 1024))
  const { port } = serve(() => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }))
  const work = createHttp().text(`http://127.0.0.1:${port}/`, { policy: 'admin' })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.failed', cause: expect.stringContaining('longer than') })
})

test('the caller’s cookie and host are not sent, and the answer’s cookie is not kept', async () => {
  const { port, seen } = serve(() => new Response('ok', { headers: { 'set-cookie': 'a=1' } }))
  const http = httpWith(['127.0.0.1'])
  const headers = { cookie: 'session=1', host: 'elsewhere.test', 'x-kept': 'yes' }
  for (let round = 0; round < 2; round++) await http.text(`http://name.test:${port}/`, { policy: 'admin', headers })
  expect(seen).toHaveLength(2)
  for (const sent of seen) {
    expect(sent.get('cookie')).toBeNull()
    expect(sent.get('host')).toBe(`name.test:${port}`)
    expect(sent.get('x-kept')).toBe('yes')
    expect(sent.get('user-agent')).toBe('Tollgate')
  }
})

test('a proxy in the environment is not used', async () => {
  const proxy = serve(() => new Response('proxy'))
  const { port } = serve(() => new Response('direct'))
  process.env.HTTP_PROXY = `http://127.0.0.1:${proxy.port}`
  try {
    const reply = await httpWith(['127.0.0.1']).text(`http://direct.test:${port}/`, { policy: 'admin' })
    expect(reply.text).toBe('direct')
    expect(proxy.seen).toHaveLength(0)
  } finally {
    delete process.env.HTTP_PROXY
  }
})

test('an error never repeats the query, which may contain keys', async () => {
  const work = httpWith(['127.0.0.1']).request('http://down.test:1/v1?key=secret', { policy: 'admin' })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.failed', cause: 'http://down.test:1: ECONNREFUSED' })
})

test('a streamed request body arrives whole', async () => {
  const { port } = serve(async (request) => new Response(await request.text()))
  const body = new Blob(['one ', 'two ', 'three']).stream()
  const reply = await createHttp().text(`http://127.0.0.1:${port}/`, { policy: 'admin', method: 'POST', body })
  expect(reply.text).toBe('one two three')
})

test('a form arrives with its boundary', async () => {
  const { port } = serve(async (request) => {
    const form = await request.formData()
    const file = form.get('file')
    return new Response(`${form.get('model')} ${file instanceof Blob ? await file.text() : 'nothing'}`)
  })
  const body = new FormData()
  body.set('model', 'whisper')
  body.set('file', new Blob(['sound']), 'a.wav')
  const reply = await createHttp().text(`http://127.0.0.1:${port}/`, { policy: 'admin', method: 'POST', body })
  expect(reply.text).toBe('whisper sound')
})

test.each(['gzip', 'deflate', 'br', 'zstd'])(
  'an answer compressed with %s although not requested is decompressed',
  async (coding) => {
    const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }[coding]
    const headers = { 'content-encoding': coding }
    const { port, seen } = serve(() => new Response(pack?.('plain text '.repeat(1000)), { headers }))
    const { text } = await createHttp().text(`http://127.0.0.1:${port}/`, { policy: 'admin' })
    expect(text).toBe('plain text '.repeat(1000))
    expect(seen[0]?.get('accept-encoding')).toBe('identity')
  },
)

test('a corrupt compressed answer is a failure, and so is one with an unknown encoding', async () => {
  for (const [coding, body] of [
    ['gzip', 'not packed at all'],
    ['gzip', gzipSync('cut off in the middle'.repeat(100)).subarray(0, 40)],
    ['secret-sauce', 'whatever'],
  ] as const) {
    const { port } = serve(() => new Response(body, { headers: { 'content-encoding': coding } }))
    const work = createHttp().text(`http://127.0.0.1:${port}/`, { policy: 'admin' })
    expect(await refusal(work)).toMatchObject({ code: 'outbound.failed' })
  }
})

test('a value cannot inject a header', async () => {
  const { port, seen } = serve(() => new Response('ok'))
  for (const headers of [
    { 'x-key': 'a\r\nx-evil: 1' },
    { 'x-key': 'a\nb' },
    { 'x-key': 'a\0' },
    { 'x evil\r\n': 'a' },
    { 'x-key': '密钥' },
  ])
    expect(await refusal(createHttp().text(`http://127.0.0.1:${port}/`, { policy: 'admin', headers }))).toMatchObject({
      code: 'outbound.failed',
      cause: expect.stringContaining('a header that cannot be sent'),
    })
  expect(seen).toHaveLength(0)
})

test('a large body arrives whole at a server that reads slowly', async () => {
  const { port } = serve(async (request) => {
    let size = 0
    for await (const piece of request.body ?? []) {
      size += piece.byteLength
      await new Promise((resolve) => setImmediate(resolve))
    }
    return new Response(String(size))
  })
  const body = '好'.repeat(5_000_000)
  const reply = await createHttp().text(`http://127.0.0.1:${port}/`, { policy: 'admin', method: 'POST', body })
  expect(reply.text).toBe('15000000')
})

test('unread data stays with the server', async () => {
  let sent = 0
  const waits = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const piece = Buffer.alloc(64 * 1024)
      const write = () => {
        while (sent < TOO_MUCH && socket.write(piece)) sent += piece.length
        waits.resolve()
      }
      socket.on('drain', write)
      write()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.close())
  const reply = await createHttp().request(`http://127.0.0.1:${portOf(server)}/`, { policy: 'admin' })
  await waits.promise
  const early = sent
  expect(early).toBeLessThan(TOO_MUCH)
  let read = 0
  while (read <= early) read += (await reply.read())?.length ?? Number.POSITIVE_INFINITY
  reply.cancel()
  await expect(reply.read()).rejects.toThrow('cancelled')
})

test('a server that closes after each answer without announcing it fails no call', async () => {
  let asked = 0
  const closed = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('close', () => closed.resolve())
    socket.on('data', () => {
      asked++
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.close())
  const http = createHttp()
  const url = `http://127.0.0.1:${portOf(server)}/`
  expect((await http.text(url, { policy: 'admin' })).text).toBe('ok')
  // Once it was seen to do that, each request gets a new connection.
  await closed.promise
  for (let round = 0; round < 20; round++) expect((await http.text(url, { policy: 'admin' })).text).toBe('ok')
  expect(asked).toBe(21)
})

test('a request that crosses the closing of an idle connection is sent again', async () => {
  const asked: string[] = []
  const server = createServer((socket) => {
    let served = 0
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      asked.push(bytes.toString().slice(0, 4))
      if (served++ === 0) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      else socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.close())
  const http = createHttp({ idleFromMs: 0 })
  const url = `http://127.0.0.1:${portOf(server)}/`
  await http.text(url, { policy: 'admin' })
  expect((await http.text(url, { policy: 'admin', method: 'POST', body: 'x' })).text).toBe('ok')
  expect(asked).toEqual(['GET ', 'POST', 'POST'])
})

test('a request that is cut off without an answer is not sent again', async () => {
  let asked = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => {
      asked++
      if (asked === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      else socket.resetAndDestroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.close())
  const http = createHttp()
  const url = `http://127.0.0.1:${portOf(server)}/`
  await http.text(url, { policy: 'admin' })
  expect(await refusal(http.text(url, { policy: 'admin', method: 'POST', body: 'x' }))).toMatchObject({
    code: 'outbound.failed',
    cause: `http://127.0.0.1:${portOf(server)}: broke off`,
  })
  expect(asked).toBe(2)
})

const TOO_MUCH = 1024 * 1024 * 1024

function portOf(server: Server) {
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}

/** This many kilobytes, then silence without an end. */
function endless({ chunks, onCancel }: { chunks: number; onCancel?: () => void }) {
  let sent = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1
      if (sent > chunks) return new Promise<void>(() => {})
      controller.enqueue(new Uint8Array(1024))
    },
    cancel: () => onCancel?.(),
  })
}
