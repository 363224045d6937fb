import { expect, onTestFinished, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { parseProxy } from '@tollgate/contract'
import { fakeHttpProxy, fakeSocksProxy } from '../testing/fake-proxy.ts'
import { refusedAddress } from '../testing/fake-upstream.ts'
import { selfSigned } from '../testing/outside/certificate.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { createCheckedHosts } from './checked-hosts.ts'
import { createSockets, UpgradeRefused, type UpstreamSocket } from './sockets.ts'

/** A WebSocket server that greets, echoes, and does what its path says. */
function serve(tls?: { key: string; cert: string }) {
  const seen: Headers[] = []
  const closed = Promise.withResolvers<number>()
  let pings = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    ...(tls !== undefined && { tls }),
    async fetch(request, self) {
      seen.push(new Headers(request.headers))
      const { pathname } = new URL(request.url)
      if (pathname === '/refuse') return new Response('not you', { status: 403 })
      const [, busy] = /^\/refuse\/(\d+)$/.exec(pathname) ?? []
      if (busy !== undefined) return new Response('not now', { status: Number(busy) })
      if (pathname === '/redirect') return Response.redirect('ws://169.254.169.254/')
      if (pathname === '/hang') await closed.promise
      return self.upgrade(request) ? undefined : new Response('not a socket', { status: 400 })
    },
    websocket: {
      open: (socket) => void socket.send('hello'),
      message: (socket, text) => void socket.send(text),
      close: (_, code) => closed.resolve(code),
      ping: () => {
        pings++
      },
    },
  })
  onTestFinished(() => {
    closed.resolve(0)
    void server.stop(true)
  })
  return { port: server.port, seen, closed: closed.promise, pings: () => pings }
}

const answering = (...addresses: string[]) => createCheckedHosts({ resolve: async () => addresses })

/** The messages as they arrive, and the close as the last one. */
function received(socket: UpstreamSocket) {
  const messages: string[] = []
  const { promise: ended, resolve } = Promise.withResolvers<{ code: number; clean: boolean }>()
  const first = Promise.withResolvers<void>()
  socket.listen({
    message(data) {
      messages.push(String(data))
      first.resolve()
    },
    closed: resolve,
  })
  return { messages, ended, first: first.promise }
}

test.each([
  'ws://169.254.169.254/',
  'wss://[::ffff:169.254.169.254]/',
  'ws://metadata.google.internal/',
  'http://127.0.0.1/',
  'ws://user:secret@127.0.0.1/',
  'not a url',
])('%s is refused', async (url) => {
  const open = createSockets({ hosts: answering('127.0.0.1') })
  expect(await refusal(open(url, { policy: 'admin' }))).toMatchObject({ code: 'outbound.refused_address' })
})

test('the name is resolved once, checked, and the socket uses the checked address under that name', async () => {
  const { port, seen } = serve()
  const answers = ['127.0.0.1', '169.254.169.254']
  const hosts = createCheckedHosts({ resolve: async () => [answers.shift() ?? ''] })
  const socket = await createSockets({ hosts })(`ws://vendor.test:${port}/`, {
    policy: 'admin',
    headers: { authorization: 'Bearer k' },
  })
  const { first, messages } = received(socket)
  await first
  expect(messages).toEqual(['hello'])
  expect(seen[0]?.get('host')).toBe(`vendor.test:${port}`)
  expect(seen[0]?.get('authorization')).toBe('Bearer k')
  expect(answers).toHaveLength(1)
  socket.close()
})

test('a user cannot reach this machine', async () => {
  const { port, seen } = serve()
  const open = createSockets({ hosts: answering('127.0.0.1') })
  expect(await refusal(open(`ws://any.test:${port}/`, { policy: 'user' }))).toMatchObject({
    code: 'outbound.refused_address',
  })
  expect(seen).toHaveLength(0)
})

test('the certificate must be for the name, not for the address', async () => {
  const vendor = selfSigned('vendor.test')
  const { port } = serve(vendor)
  const open = createSockets({ hosts: answering('127.0.0.1'), ca: vendor.cert })
  const socket = await open(`wss://vendor.test:${port}/`, { policy: 'admin' })
  socket.close()
  expect(await refusal(open(`wss://other.test:${port}/`, { policy: 'admin' }))).toMatchObject({
    code: 'outbound.failed',
  })
})

test('a refused upgrade reports its status and reason, and a redirect is not followed', async () => {
  const { port, seen } = serve()
  const open = createSockets({ hosts: answering('127.0.0.1') })
  const refused = await open(`ws://vendor.test:${port}/refuse`, { policy: 'admin' }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(UpgradeRefused)
  expect(refused).toMatchObject({ status: 403, body: 'not you' })
  expect(await refusal(open(`ws://vendor.test:${port}/redirect`, { policy: 'admin' }))).toMatchObject({
    code: 'outbound.failed',
    cause: expect.stringContaining('redirect'),
  })
  expect(seen).toHaveLength(3)
})

test('a vendor that refuses an upgrade because it is busy or broken is not called for the reason', async () => {
  const { port, seen } = serve()
  const open = createSockets({ hosts: answering('127.0.0.1') })
  for (const status of [429, 503]) {
    const refused = await open(`ws://vendor.test:${port}/refuse/${status}`, { policy: 'admin' }).catch((error) => error)
    expect(refused).toMatchObject({ status, body: '' })
  }
  expect(seen).toHaveLength(2)
})

test('an address that does not listen is skipped for the next', async () => {
  const { port } = serve()
  const socket = await createSockets({ hosts: answering('127.0.0.2', '127.0.0.1') })(`ws://vendor.test:${port}/`, {
    policy: 'admin',
  })
  socket.close()
  const dead = (await refusedAddress()).replace('http:', 'ws:')
  expect(await refusal(createSockets()(dead, { policy: 'admin' }))).toMatchObject({ code: 'outbound.failed' })
})

test('a handshake without an answer ends by its timeout, and by the caller', async () => {
  const { port } = serve()
  const open = createSockets()
  expect(await refusal(open(`ws://127.0.0.1:${port}/hang`, { policy: 'admin', timeoutMs: 20 }))).toMatchObject({
    code: 'outbound.failed',
    cause: expect.stringContaining('time-out'),
  })
  const caller = new AbortController()
  const opening = open(`ws://127.0.0.1:${port}/hang`, { policy: 'admin', signal: caller.signal })
  caller.abort(new Error('the caller left'))
  expect(await opening.catch((error: Error) => error.message)).toBe('the caller left')
})

test('an abort ends an open socket', async () => {
  const { port, closed } = serve()
  const caller = new AbortController()
  const socket = await createSockets()(`ws://127.0.0.1:${port}/`, { policy: 'admin', signal: caller.signal })
  const { ended } = received(socket)
  caller.abort()
  expect((await ended).clean).toBe(false)
  expect(await closed).toBe(1006)
})

test('messages that arrive before there is a listener are not lost', async () => {
  const { port } = serve()
  const socket = await createSockets()(`ws://127.0.0.1:${port}/`, { policy: 'admin' })
  socket.send('echo')
  socket.send('bye')
  const { promise: quiet, resolve } = Promise.withResolvers<void>()
  // A second conversation that began later has ended: by then the first one's messages have arrived.
  const other = await createSockets()(`ws://127.0.0.1:${port}/`, { policy: 'admin' })
  other.listen({ message: () => resolve(), closed: () => {} })
  await quiet
  const { messages, ended } = received(socket)
  socket.close(1000)
  expect(await ended).toMatchObject({ code: 1000, clean: true })
  expect(messages).toEqual(['hello', 'echo', 'bye'])
  other.close()
})

test('a vendor that stops answering pings is given up; one that answers is not', async () => {
  const dead = await agreesAndFallsSilent()
  const socket = await createSockets()(dead, { policy: 'admin', heartbeatMs: 5 })
  expect((await received(socket).ended).clean).toBe(false)

  const { port, pings } = serve()
  const living = await createSockets()(`ws://127.0.0.1:${port}/`, { policy: 'admin', heartbeatMs: 1500 })
  const { ended } = received(living)
  // The second ping is sent only to a client that answered the first.
  while (pings() < 2) await Bun.sleep(10)
  living.close(1000)
  expect(await ended).toMatchObject({ code: 1000 })
})

/** The address of a server that completes the handshake and never sends anything again. */
async function agreesAndFallsSilent() {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      const key = /sec-websocket-key: (\S+)/i.exec(bytes.toString('latin1'))?.[1] ?? ''
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  return `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`
}

test.each([
  ['a status that is none', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n', 'answered the upgrade with status 999'],
  ['a NUL in a name', 'HTTP/1.1 403 No\r\nX-\0: 1\r\nContent-Length: 0\r\n\r\n', 'failed'],
  ['8,000 lines', `HTTP/1.1 403 No\r\n${'X: y\r\n'.repeat(8_000)}Content-Length: 0\r\n\r\n`, 'failed'],
])('an upgrade that is answered with %s fails at once', async (_, answer, reason) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write(answer, 'latin1'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const origin = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const work = createSockets()(`${origin}/`, { policy: 'admin' })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.failed', cause: `${origin}: ${reason}` })
})

const NAME = 'vendor.test'
const certificate = selfSigned(NAME, '127.0.0.1')
const proxyAt = (url: string) => ({ ...parsedProxy(url), user: 'bob', password: 'secret' })

function parsedProxy(url: string) {
  const parsed = parseProxy(url)
  if (parsed === undefined) throw new Error('not a proxy')
  return parsed
}

test.each([
  ['http', fakeHttpProxy, {}],
  ['https', fakeHttpProxy, { certificate }],
  ['socks5', fakeSocksProxy, {}],
] as const)(
  'a socket through an %s proxy reaches a name that only the proxy can resolve, with its own TLS',
  async (_, make, options) => {
    const { port, seen, closed } = serve(certificate)
    const proxy = await make({ ...options, login: 'bob:secret', leadsTo: Number(port) })
    const hosts = createCheckedHosts({
      resolve: async () => {
        throw new Error('no such name here')
      },
    })
    const open = createSockets({ hosts, ca: certificate.cert })
    const socket = await open(`wss://${NAME}/v1`, {
      ...{ policy: 'admin', proxy: proxyAt(proxy.url), headers: { authorization: 'Bearer of-the-vendor' } },
    })
    const { messages, first, ended } = received(socket)
    await first
    socket.close(1000)
    expect(await ended).toMatchObject({ code: 1000, clean: true })
    expect(messages).toEqual(['hello'])
    expect(await closed).toBe(1000)
    expect(proxy.asked).toEqual([`${NAME}:443`])
    expect(proxy.received()).not.toContain('of-the-vendor')
    expect(seen[0]?.get('host')).toBe(NAME)
    expect(seen[0]?.get('authorization')).toBe('Bearer of-the-vendor')
  },
)

test('a refused upgrade behind a proxy is read through the same proxy, and forbidden addresses stay forbidden', async () => {
  const { port } = serve()
  const proxy = await fakeSocksProxy({ login: 'bob:secret' })
  const open = createSockets()
  const asked = { policy: 'admin', proxy: proxyAt(proxy.url) } as const
  const refused = await open(`ws://127.0.0.1:${port}/refuse`, asked).catch((error) => error)
  expect(refused).toBeInstanceOf(UpgradeRefused)
  expect(refused).toMatchObject({ status: 403, body: 'not you' })
  expect(proxy.asked).toHaveLength(2)
  expect(await refusal(open('ws://169.254.169.254/', asked))).toMatchObject({ code: 'outbound.refused_address' })
  expect(proxy.asked).toHaveLength(2)
})

test('a caller who disconnects while a proxy hangs aborts the connection', async () => {
  const proxy = await fakeHttpProxy({ says: 'nothing' })
  const leaving = new AbortController()
  const opening = createSockets()('ws://127.0.0.1:9/', {
    ...{ policy: 'admin', proxy: proxyAt(proxy.url), signal: leaving.signal },
  }).catch((error) => error)
  while (proxy.received() === '') await Bun.sleep(1)
  leaving.abort(new Error('gone'))
  expect(await opening).toEqual(new Error('gone'))
})
