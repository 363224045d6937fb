import { expect, test } from 'bun:test'
import { answering, httpWith, serve } from '../testing/outside/checked-http.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { createCheckedHosts } from './checked-hosts.ts'
import { createHttp } from './http.ts'

const METADATA_SPELLINGS = [
  'http://169.254.169.254/latest',
  'http://169.254.169.254./latest',
  'http://2852039166/latest',
  'http://0xa9fea9fe/latest',
  'http://0251.0376.0251.0376/latest',
  'http://169.16689662/latest',
  'http://①⑥⑨.254.169.254/latest',
  'http://%31%36%39.254.169.254/latest',
  'http://[::ffff:169.254.169.254]/latest',
  'http://[::ffff:a9fe:a9fe]/latest',
  'http://[64:ff9b::169.254.169.254]/latest',
  'http://[2002:a9fe:a9fe::]/latest',
  'http://[fd00:ec2::254]/latest',
  'http://[fe80::1]/latest',
  'http://100.100.100.200/latest',
  'http://metadata.google.internal/latest',
  'http://METADATA.google.internal./latest',
  'http://0.0.0.0/',
  'http://0/',
  'http://[::]/',
  'http://255.255.255.255/',
  'http://224.0.0.1/',
]

test.each(METADATA_SPELLINGS)('%s is refused to everyone, and never resolved', async (url) => {
  const { resolve, asked } = answering(['127.0.0.1'])
  const http = createHttp({ hosts: createCheckedHosts({ resolve }) })
  for (const policy of ['admin', 'user'] as const)
    expect(await refusal(http.request(url, { policy }))).toMatchObject({ code: 'outbound.refused_address' })
  expect(asked).toEqual([])
})

const LOOPBACK_SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'any.test',
]

test.each(LOOPBACK_SPELLINGS)('a user cannot reach this machine as %s', async (host) => {
  const { port, seen } = serve(() => new Response('inside'))
  const work = httpWith(['127.0.0.1']).request(`http://${host}:${port}/`, { policy: 'user' })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.refused_address' })
  expect(seen).toHaveLength(0)
})

test.each([
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  's3://bucket/key',
  'data:text/plain,hello',
  'http://user:secret@127.0.0.1/',
  'http://user@127.0.0.1/',
  'http://',
  'not a url',
])('%s is not a valid address', async (url) => {
  expect(await refusal(createHttp().request(url, { policy: 'admin' }))).toMatchObject({
    code: 'outbound.refused_address',
    cause: 'not a plain http or https URL',
  })
})

test('a name that resolves to a forbidden address is refused', async () => {
  const work = httpWith(['169.254.169.254']).request('http://innocent.test/', { policy: 'admin' })
  expect(await refusal(work)).toMatchObject({
    code: 'outbound.refused_address',
    cause: 'innocent.test leads to a closed address',
  })
})

test('one forbidden address among allowed ones refuses the name', async () => {
  const { port, seen } = serve(() => new Response('ok'))
  const work = httpWith(['127.0.0.1', 'fe80::1']).request(`http://half.test:${port}/`, { policy: 'admin' })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.refused_address' })
  expect(seen).toHaveLength(0)
})

test('a name without an address is refused', async () => {
  const work = httpWith([]).request('http://empty.test/', { policy: 'admin' })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.refused_address', cause: 'empty.test has no address' })
})

test('a name that cannot be resolved is a failure, without the resolver’s message', async () => {
  const hosts = createCheckedHosts({ resolve: () => Promise.reject(new Error('queryA ESERVFAIL')) })
  const work = createHttp({ hosts }).request('http://gone.test/', { policy: 'admin' })
  expect(await refusal(work)).toMatchObject({ code: 'outbound.failed', cause: 'gone.test cannot be resolved' })
})

test('the connection uses the checked address: a name that changes its answer afterwards leads nowhere else', async () => {
  const { port, seen } = serve((request) => new Response(request.headers.get('host')))
  const { resolve, asked } = answering(['127.0.0.1'], ['169.254.169.254'])
  let now = 0
  const http = createHttp({ hosts: createCheckedHosts({ resolve, now: () => now }) })
  const url = `http://rebind.test:${port}/`

  expect(await http.text(url, { policy: 'admin' })).toMatchObject({ status: 200, text: `rebind.test:${port}` })
  expect(asked).toEqual(['rebind.test'])

  now = 60_000
  expect(await refusal(http.text(url, { policy: 'admin' }))).toMatchObject({ code: 'outbound.refused_address' })
  expect(asked).toHaveLength(2)
  expect(seen).toHaveLength(1)
})

test('a checked answer is reused for a few seconds, but never for another policy', async () => {
  const { port } = serve(() => new Response('ok'))
  const { resolve, asked } = answering(['127.0.0.1'])
  const http = createHttp({ hosts: createCheckedHosts({ resolve }) })
  const url = `http://busy.test:${port}/`
  await Promise.all(Array.from({ length: 20 }, () => http.text(url, { policy: 'admin' })))
  expect(asked).toHaveLength(1)
  expect(await refusal(http.text(url, { policy: 'user' }))).toMatchObject({ code: 'outbound.refused_address' })
})

test('if the first address does not answer, the next checked one is used', async () => {
  const { port } = serve(() => new Response('second'))
  const reply = await httpWith(['127.0.0.9', '127.0.0.1']).text(`http://two.test:${port}/`, { policy: 'admin' })
  expect(reply.text).toBe('second')
})

test.each([301, 302, 303, 307, 308])('a redirect with %d is a failure and is not followed', async (status) => {
  const target = serve(() => new Response('the secret place'))
  const source = serve(() => new Response(null, { status, headers: { location: `http://127.0.0.1:${target.port}/` } }))
  const origin = `http://127.0.0.1:${source.port}`
  const work = createHttp().request(`${origin}/?key=secret`, { policy: 'admin', headers: { authorization: 'secret' } })
  expect(await refusal(work)).toMatchObject({
    code: 'outbound.failed',
    cause: `${origin}: answered with a redirect (${status})`,
  })
  expect(target.seen).toHaveLength(0)
})
