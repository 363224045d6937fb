import { expect, onTestFinished, test } from 'bun:test'
import { selfSigned } from '../testing/outside/certificate.ts'
import { answering, httpWith, serve } from '../testing/outside/checked-http.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { createCheckedHosts } from './checked-hosts.ts'
import { createHttp } from './http.ts'

test('https uses the checked address, with the host’s name, and verifies the certificate for that name', async () => {
  const good = selfSigned('good.test')
  const { port } = serve((request) => new Response(request.headers.get('host')), good)
  const http = createHttp({ ca: good.cert, hosts: createCheckedHosts(answering(['127.0.0.1'])) })
  expect(await http.text(`https://good.test:${port}/`, { policy: 'admin' })).toMatchObject({
    status: 200,
    text: `good.test:${port}`,
  })
  expect((await http.text(`https://good.test.:${port}/`, { policy: 'admin' })).status).toBe(200)
})

test('a certificate for another name is refused, even if a connection to that address is already open', async () => {
  const good = selfSigned('good.test')
  const { port, seen } = serve(() => new Response('ok'), good)
  const http = createHttp({ ca: good.cert, hosts: createCheckedHosts(answering(['127.0.0.1'])) })
  await http.text(`https://good.test:${port}/`, { policy: 'admin' })
  for (const host of ['other.test', '127.0.0.1'])
    expect(await refusal(http.text(`https://${host}:${port}/?key=secret`, { policy: 'admin' }))).toMatchObject({
      code: 'outbound.failed',
      cause: `https://${host}:${port}: ERR_TLS_CERT_ALTNAME_INVALID`,
    })
  expect(seen).toHaveLength(1)
})

test('an untrusted certificate is refused, whatever the environment says', async () => {
  const { port, seen } = serve(() => new Response('ok'), selfSigned('good.test'))
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    const work = httpWith(['127.0.0.1']).text(`https://good.test:${port}/`, { policy: 'admin' })
    expect(await refusal(work)).toMatchObject({ code: 'outbound.failed' })
    expect(seen).toHaveLength(0)
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  }
})

test('https to a literal address verifies the certificate for that address', async () => {
  const local = selfSigned('127.0.0.1')
  const { port } = serve(() => new Response('ok'), local)
  const reply = await createHttp({ ca: local.cert }).text(`https://127.0.0.1:${port}/`, { policy: 'admin' })
  expect(reply.text).toBe('ok')
})

test('connections stay open between requests', async () => {
  const ports = new Set<number | undefined>()
  const good = selfSigned('warm.test')
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: good,
    fetch(request, self) {
      ports.add(self.requestIP(request)?.port)
      return new Response('ok')
    },
  })
  onTestFinished(() => server.stop(true))
  const http = createHttp({ ca: good.cert, hosts: createCheckedHosts(answering(['127.0.0.1'])) })
  for (let round = 0; round < 5; round++) await http.text(`https://warm.test:${server.port}/`, { policy: 'admin' })
  expect(ports.size).toBe(1)
})
