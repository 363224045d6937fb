import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { parseProxy } from '@tollgate/contract'
import { fakeHttpProxy, fakeSocksProxy } from '../../testing/fake-proxy.ts'
import { selfSigned } from '../../testing/outside/certificate.ts'
import { createCheckedHosts } from '../checked-hosts.ts'
import { proxyFaultIn } from '../fault.ts'
import { createHttp } from '../http.ts'

setDefaultTimeout(20_000)

const NAME = 'api.vendor.example'
const certificate = selfSigned(NAME, '127.0.0.1')
const KEY = 'Bearer sk-canary-key'

/** A vendor with TLS, and a client that trusts it and can resolve names only through a proxy. */
function fixture(found: Record<string, string[]> = {}) {
  const vendor = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: certificate,
    async fetch(request) {
      return Response.json({ key: request.headers.get('authorization'), body: await request.text() })
    },
  })
  onTestFinished(() => vendor.stop(true))
  const hosts = createCheckedHosts({
    resolve: async (name) => {
      const addresses = found[name]
      if (addresses === undefined) throw new Error('no such name')
      return addresses
    },
  })
  const http = createHttp({ hosts, ca: certificate.cert })
  const ask = (proxy: string, { user = '', password = '', url = `https://${NAME}/v1`, body = 'hello' } = {}) => {
    const parsed = parseProxy(proxy)
    if (parsed === undefined) throw new Error(proxy)
    return http.text(url, {
      ...{ policy: 'admin', method: 'POST', headers: { authorization: KEY }, body },
      proxy: { ...parsed, user, password },
      timeoutMs: 10_000,
      connectTimeoutMs: 5_000,
      maxBytes: 4_000_000,
    })
  }
  return { ask, port: vendor.port ?? 0, http }
}

const failed = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => undefined,
    (reason) => reason,
  )
  return proxyFaultIn(error)?.message
}

const KINDS = [
  ['http', fakeHttpProxy, {}],
  ['https', fakeHttpProxy, { certificate }],
  ['socks5', fakeSocksProxy, {}],
] as const

test.each(KINDS)(
  'a call uses a proxy of the kind %s, which resolves the name and does not see the key',
  async (_, make, options) => {
    const { ask, port } = fixture()
    const proxy = await make({ ...options, leadsTo: port })
    const { status, text } = await ask(proxy.url)
    expect({ status, ...JSON.parse(text) }).toEqual({ status: 200, key: KEY, body: 'hello' })
    expect(proxy.asked).toEqual([`${NAME}:443`])
    expect(proxy.received()).toContain(NAME)
    expect(proxy.received()).not.toContain('canary')
    const long = 'x'.repeat(3_000_000)
    expect(JSON.parse((await ask(proxy.url, { body: long })).text).body).toHaveLength(long.length)
  },
)

test.each(KINDS)(
  'a proxy of the kind %s gets user and password, and refuses others with a message',
  async (_, make, options) => {
    const { ask, port } = fixture()
    const proxy = await make({ ...options, leadsTo: port, login: 'bob:pass word' })
    expect((await ask(proxy.url, { user: 'bob', password: 'pass word' })).status).toBe(200)
    const wrong = 'it wants another user or password'
    expect(await failed(ask(proxy.url, { user: 'bob', password: 'no' }))).toBe(wrong)
    expect(await failed(ask(proxy.url))).toBe(wrong)
  },
)

test('a login that is too long for SOCKS5 is not truncated', async () => {
  const { ask } = fixture()
  const proxy = await fakeSocksProxy({ login: 'bob:secret' })
  const words = 'user or password are too long for it'
  expect(await failed(ask(proxy.url, { user: '名'.repeat(255), password: 'secret' }))).toBe(words)
})

test('connections through different proxies, or as different users, are not shared; those through one are', async () => {
  const { ask, port } = fixture()
  const one = await fakeHttpProxy({ leadsTo: port })
  const other = await fakeHttpProxy({ leadsTo: port })
  await ask(one.url)
  await ask(one.url)
  expect(one.asked).toHaveLength(1)
  await ask(other.url)
  expect(other.asked).toHaveLength(1)
  await ask(one.url, { user: 'bob' })
  expect(one.asked).toHaveLength(2)
})

test.each([
  ['it refused the connection with status 403', fakeHttpProxy, 'HTTP/1.1 403 Forbidden\r\n\r\n'],
  ['its answer is not HTTP', fakeHttpProxy, 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['its answer is not HTTP', fakeHttpProxy, 'x'.repeat(10_000)],
  ['it said more than it was asked', fakeHttpProxy, 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK'],
  ['its answer is not SOCKS5', fakeSocksProxy, 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['it wants another user or password', fakeSocksProxy, new Uint8Array([5, 255])],
  ['the provider refused its connection', fakeSocksProxy, new Uint8Array([5, 0, 5, 5, 0, 1, 0, 0, 0, 0, 0, 0])],
])('a proxy that misbehaves fails with the message: %s', async (words, make, says) => {
  const { ask } = fixture()
  expect(await failed(ask((await make({ says })).url))).toBe(words)
})

test('a proxy that hangs is given up after the connect timeout, and an absent one at once', async () => {
  const { http } = fixture()
  for (const make of [fakeHttpProxy, fakeSocksProxy]) {
    const { url } = await make({ says: 'nothing' })
    const proxy = { ...(parseProxy(url) ?? { scheme: 'http' as const, host: '', port: 0 }), user: '', password: '' }
    const asked = http.text(`https://${NAME}/`, { policy: 'admin', proxy, connectTimeoutMs: 50 })
    expect(await failed(asked)).toBe('it did not connect in time')
  }
  const gone = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  gone.stop(true)
  const proxy = { scheme: 'http' as const, host: '127.0.0.1', port: gone.port, user: '', password: '' }
  expect(await failed(http.text(`https://${NAME}/`, { policy: 'admin', proxy }))).toBe('it cannot be reached')
})

test('a caller can abort while the proxy hangs', async () => {
  const { http } = fixture()
  const { url } = await fakeHttpProxy({ says: 'nothing' })
  const proxy = { ...(parseProxy(url) ?? { scheme: 'http' as const, host: '', port: 0 }), user: '', password: '' }
  const client = new AbortController()
  const asked = http.request(`https://${NAME}/`, { policy: 'admin', proxy, signal: client.signal, timeoutMs: false })
  client.abort(new Error('left'))
  await expect(asked).rejects.toThrow('left')
})

test('a vendor with an invalid certificate is not called, whatever the proxy says', async () => {
  const { ask, port } = fixture()
  const proxy = await fakeHttpProxy({ leadsTo: port })
  const error = await ask(proxy.url, { url: 'https://other.vendor.example/' }).catch((reason) => reason)
  expect(error).toMatchObject({ code: 'outbound.failed' })
  expect(proxy.received()).not.toContain('canary')
})

test('an address must match its certificate like a name, the vendor’s and the proxy’s', async () => {
  const { ask, port } = fixture()
  const plain = await fakeHttpProxy({ leadsTo: port })
  expect((await ask(plain.url, { url: `https://127.0.0.1:${port}/` })).status).toBe(200)
  const unproved = await ask(plain.url, { url: `https://127.0.0.2:${port}/` }).catch((reason) => reason)
  expect(unproved).toMatchObject({ code: 'outbound.failed' })
  const { key, cert } = selfSigned('another.example')
  const foreign = await fakeHttpProxy({ leadsTo: port, certificate: { key, cert } })
  expect(await failed(ask(foreign.url))).toBe('its TLS failed')
  const trusted = createHttp({ ca: cert })
  const parsed = parseProxy(foreign.url)
  const proxy = { scheme: 'https' as const, host: '127.0.0.1', port: parsed?.port ?? 0, user: '', password: '' }
  expect(await failed(trusted.text(`https://127.0.0.1:${port}/`, { policy: 'admin', proxy }))).toBe('its TLS failed')
  expect(foreign.received()).toBe('')
})

test.each([
  ['https://169.254.169.254/', {}],
  ['https://metadata.google.internal/', {}],
  ['https://[fd00:ec2::254]/', {}],
  [`https://${NAME}/`, { [NAME]: ['169.254.169.254'] }],
])('the address guard also applies behind a proxy: %s', async (url, found) => {
  const { ask } = fixture(found)
  const proxy = await fakeHttpProxy()
  const error = await ask(proxy.url, { url }).catch((reason) => reason)
  expect(error).toMatchObject({ code: 'outbound.refused_address' })
  expect(proxy.asked).toEqual([])
})

test.each(['http://169.254.169.254:3128', 'socks5://metadata.google.internal:1080', 'http://0.0.0.0:3128'])(
  'the proxy itself has to pass the address guard: %s',
  async (proxy) => {
    const error = await fixture()
      .ask(proxy)
      .catch((reason) => reason)
    expect(error).toMatchObject({ code: 'outbound.refused_address' })
  },
)
