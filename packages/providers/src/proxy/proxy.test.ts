import { expect, test } from 'bun:test'
import { anAccess, failureFrom, offered } from '../testing/vendor-kit.ts'
import { proxy } from './proxy.ts'

const forward = offered(proxy, 'forward')
const access = anAccess({ baseUrl: 'https://upstream.example/api', key: 'Token abc' })

test('the rest of the path after the channel’s address is kept, including the query', () => {
  expect(forward.url('/v1/items?a=1&b=%20x', access)).toBe('https://upstream.example/api/v1/items?a=1&b=%20x')
  expect(forward.url('', access)).toBe('https://upstream.example/api')
  expect(forward.url('?a=1', access)).toBe('https://upstream.example/api?a=1')
  expect(forward.url('items', access)).toBe('https://upstream.example/api/items')
})

test.each([
  ...[
    '/../admin',
    '/%2e%2e/admin',
    '/..\\admin',
    '/x/../../admin',
    '/x/../y',
    '/./x',
    '/..;a=1/admin',
    '/%2e%2e;/admin',
  ],
  // A service that decodes once more than we do would see a path that leads upwards.
  ...['/..%2fadmin', '/..%2Fadmin', '/..%5cadmin', '/%2e%2e%2fadmin', '/..%252fadmin', '/%252e%252e/admin', '/a%2fb'],
  ...['/a%00b', '/a%0d%0ab', '/%zz', '/%25252525252e'],
])('a path cannot leave the address: %p', async (rest) => {
  expect(await failureFrom(() => forward.url(rest, access))).toMatchObject({ status: 400, code: 'invalid_path' })
})

test('what only looks like it is kept', () => {
  for (const rest of ['/a..b/...', '/100%25/x', '/%E4%BD%A0', '/a;b=c', '/x?to=../..%2f', '/a:b@c'])
    expect(forward.url(rest, access)).toBe(`https://upstream.example/api${rest}`)
})

test('a path cannot become a host', () => {
  const bare = anAccess({ baseUrl: 'https://upstream.example' })
  for (const rest of ['@evil.example/', '.evil.example/', ':8080/', '//evil.example/'])
    expect(new URL(forward.url(rest, bare)).host).toBe('upstream.example')
})

test('the stored key is the whole Authorization header', () => {
  expect(forward.requestHeaders(new Headers({ authorization: 'Bearer sk-caller' }), access).get('authorization')).toBe(
    'Token abc',
  )
  const keyless = forward.requestHeaders(new Headers({ authorization: 'Bearer sk-caller' }), anAccess({ key: '' }))
  expect(keyless.has('authorization')).toBe(false)
})

test('the caller’s session, key, address and connection headers are not forwarded', () => {
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'text/plain',
    'x-custom': 'kept',
    cookie: 'sid=1',
    'x-api-key': 'sk-caller',
    'x-goog-api-key': 'sk-caller',
    host: 'gateway.example',
    'content-length': '3',
    'accept-encoding': 'gzip',
    connection: 'keep-alive, X-Secret-Hop',
    'x-secret-hop': '1',
    'transfer-encoding': 'chunked',
    upgrade: 'websocket',
    te: 'trailers',
    'x-forwarded-for': '10.0.0.1',
    'x-real-ip': '10.0.0.1',
    'x-claude-code-session-id': 's-1',
    'x-codex-turn-metadata': '{}',
    session_id: 's-1',
    forwarded: 'for=10.0.0.1',
    via: '1.1 x',
    'cf-connecting-ip': '10.0.0.1',
    'sec-fetch-site': 'same-origin',
    origin: 'https://gateway.example',
    referer: 'https://gateway.example/token',
  })
  expect(Object.fromEntries(forward.requestHeaders(headers, access))).toEqual({
    accept: 'application/json',
    'content-type': 'text/plain',
    'x-custom': 'kept',
    authorization: 'Token abc',
  })
})

test('only headers known to be harmless are forwarded, in both directions', () => {
  const odd = [
    'x-accel-redirect',
    'x-sendfile',
    'x-auth-token',
    'x-original-url',
    'x-envoy-original-path',
    'early-data',
  ]
  const asked = new Headers({ 'notion-version': '2022-06-28', prefer: 'wait', 'if-none-match': '"1"' })
  for (const name of [...odd, 'cdn-loop', 'x-amzn-trace-id', 'proxy-authorization']) asked.set(name, '1')
  expect(Object.fromEntries(forward.requestHeaders(asked, access))).toEqual({
    authorization: 'Token abc',
    'notion-version': '2022-06-28',
    prefer: 'wait',
    'if-none-match': '"1"',
  })
  const answered = new Headers({ etag: '"1"', 'x-ratelimit-remaining': '9', 'x-total-count': '3', 'retry-after': '1' })
  const orders = ['x-lighttpd-send-file', 'x-reproxy-url', 'x-litespeed-location', 'www-authenticate', 'cache-control']
  for (const name of [
    ...odd,
    ...orders,
    'expires',
    'age',
    'vary',
    'set-cookie',
    'sourcemap',
    'x-frame-options',
    'server',
  ])
    answered.set(name, '1')
  expect(Object.keys(Object.fromEntries(forward.answerHeaders(answered))).sort()).toEqual([
    ...['etag', 'retry-after', 'x-ratelimit-remaining', 'x-total-count'],
  ])
})

test('the answer cannot act on our origin', () => {
  const headers = new Headers({
    'content-type': 'application/json',
    'x-request-id': 'kept',
    'content-encoding': 'gzip',
    'content-length': '3',
    'transfer-encoding': 'chunked',
    'clear-site-data': '"*"',
    'access-control-allow-origin': '*',
    'strict-transport-security': 'max-age=1',
  })
  headers.append('set-cookie', 'sid=evil')
  headers.append('set-cookie', 'two=evil')
  expect(Object.fromEntries(forward.answerHeaders(headers))).toEqual({
    'content-type': 'application/json',
    'x-request-id': 'kept',
  })
})
