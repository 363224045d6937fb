import { expect, test } from 'bun:test'
import { isSamePlace } from './channel-place.ts'
import { parseProxy, proxyUrl } from './proxy-url.ts'

test('a proxy is a scheme, a host and a port', () => {
  expect(parseProxy(' http://proxy.example:3128 ')).toEqual({ scheme: 'http', host: 'proxy.example', port: 3128 })
  expect(parseProxy('HTTPS://Proxy.example:443/')).toEqual({ scheme: 'https', host: 'proxy.example', port: 443 })
  expect(parseProxy('socks5://[::1]:1080')).toEqual({ scheme: 'socks5', host: '::1', port: 1080 })
  // Every notation of an address is normalised, so that the guard sees it.
  expect(parseProxy('socks5://0xa9fea9fe:1080')?.host).toBe('169.254.169.254')
})

test.each([
  'proxy.example:3128',
  'http://proxy.example',
  'http://proxy.example:3128/path',
  'http://proxy.example:3128?x',
  'http://proxy.example:3128#x',
  'http://bob:secret@proxy.example:3128',
  'socks4://proxy.example:1080',
  'ftp://proxy.example:21',
  'http://proxy.example:0',
  'http://proxy.example:99999',
  'http://a b:3128',
  'http://:3128',
])('anything else is not a proxy: %s', (text) => {
  expect(parseProxy(text)).toBeUndefined()
})

test('a key is bound to its proxy as well: another proxy, or none, is another place; another spelling is not', () => {
  const place = (proxy: string) => ({ type: 1, base_url: '', config: { proxy } })
  expect(proxyUrl('HTTP://Proxy.example:80/')).toBe('http://proxy.example:80')
  expect(isSamePlace(place('http://p.example:80'), place(' HTTP://P.example:80/ '))).toBe(true)
  for (const other of ['', 'http://p.example:81', 'https://p.example:80', 'http://q.example:80'])
    expect(isSamePlace(place('http://p.example:80'), place(other)), other).toBe(false)
})
