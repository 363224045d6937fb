import { expect, test } from 'bun:test'
import { anAccess, failureFrom, offered } from '../testing/vendor-kit.ts'
import { proxy } from './proxy.ts'

const forward = offered(proxy, 'forward')
const access = anAccess({ baseUrl: 'https://upstream.example/api', key: 'Token abc' })

test('what follows the channel’s address is kept, query and all', () => {
  expect(forward.url('/v1/items?a=1&b=%20x', access)).toBe('https://upstream.example/api/v1/items?a=1&b=%20x')
  expect(forward.url('', access)).toBe('https://upstream.example/api')
  expect(forward.url('?a=1', access)).toBe('https://upstream.example/api?a=1')
  expect(forward.url('items', access)).toBe('https://upstream.example/api/items')
})

test.each(['/../admin', '/%2e%2e/admin', '/..\\admin', '/x/../../admin'])(
  'a path cannot leave the address: %p',
  async (rest) => {
    expect(await failureFrom(() => forward.url(rest, access))).toMatchObject({ status: 400, code: 'invalid_path' })
  },
)

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

test('the caller’s session, key, way and connection stay here', () => {
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
