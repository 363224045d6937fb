import { expect, test } from 'bun:test'
import { CONSOLE_HEADER, ENDPOINTS } from '@tollgate/contract'
import { type TestApp, testApp } from '../testing/app.ts'
import { snapshot } from '../testing/database-snapshot.ts'
import { makeAdmin, makeUser, PASSWORD, signedIn } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const FOREIGN: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch;prerender' },
]

const changing = ENDPOINTS.filter(({ endpoint }) => endpoint.method !== 'GET' || 'effects' in endpoint)

/** A GET request as browsers send it, without the console's own header. */
const PLAIN = {
  [CONSOLE_HEADER]: '',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'accept-language': 'zh-CN',
}
const JSON_TOO = 'application/json, text/plain, */*'
const IMAGE = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'
const PAGE = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** What pages and elements make browsers send to `host` on plain http, where there is no `Sec-Fetch-Site`. */
const unproven = (host: string): Record<string, string>[] => [
  { accept: IMAGE },
  { accept: IMAGE, referer: 'http://evil.gate.test:4376/' },
  { accept: IMAGE, referer: `http://evil.${host}/` },
  { accept: '*/*' }, // script, video, fetch; with a policy that hides the referrer
  { accept: JSON_TOO }, // fetch by a page that hides its referrer: `Accept` can be set, even without CORS
  { accept: JSON_TOO, referer: 'http://127.0.0.1:4376/' }, // another port of the same host
  { accept: JSON_TOO, referer: 'http://127.0.0.1/' },
  { accept: JSON_TOO, referer: `http://evil.test/?${host}` },
  { accept: JSON_TOO, referer: `http://${host}@evil.test/` },
  { accept: JSON_TOO, referer: `http://${host}.evil.test/` },
  { accept: JSON_TOO, referer: '' },
  { accept: JSON_TOO, referer: 'about:blank' },
  { accept: PAGE }, // a link, a frame, a redirect
  { accept: PAGE, referer: 'http://evil.gate.test:4376/' },
  // Elements of our own pages: operator content in a notice is shown to everybody.
  { accept: IMAGE, referer: `http://${host}/` },
  { accept: PAGE, referer: `http://${host}/about` },
  { accept: '*/*', referer: `http://${host}/`, range: 'bytes=0-' },
  { accept: 'text/css,*/*;q=0.1', referer: `http://${host}/` },
  { accept: IMAGE, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  { accept: '*/*', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'video' },
  { accept: PAGE, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
]

/** The console, and two of one-api's, on https and on plain http. */
const proven = (host: string): Record<string, string>[] => [
  { accept: '*/*', [CONSOLE_HEADER]: '1' },
  { accept: JSON_TOO, referer: `http://${host}/setting` },
  { accept: JSON_TOO, referer: `https://${host}/` }, // a proxy terminated TLS
  { accept: JSON_TOO, origin: `http://${host}` },
  { accept: JSON_TOO, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  { accept: '*/*', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
]

const gets = changing.filter(({ endpoint }) => endpoint.method === 'GET')

test('the GET endpoints that change something are these', () => {
  expect(gets.map(({ name }) => name).sort()).toEqual([
    'channels.fetchModels',
    'channels.test',
    'channels.testAll',
    'channels.updateAllBalances',
    'channels.updateBalance',
    'oauth.bindEmail',
    'oauth.bindWechat',
    'oauth.github',
    'oauth.lark',
    'oauth.state',
    'oauth.wechat',
    'recordings.get',
    'session.logout',
    'session.requestReset',
    'session.verification',
    'users.accessToken',
  ])
})

test.each(['user', 'admin', 'root', 'visitor'] as const)(
  'a GET with effects that does not come from a script of our own page changes nothing: %s',
  async (role) => {
    const app = await testApp()
    const client = await clientOf(app, role)
    const before = await snapshot(app.db)
    for (const { endpoint } of gets) {
      for (const headers of unproven(new URL(app.url).host)) {
        const answer = await client.get(endpoint.path.replaceAll(/:\w+/g, '1'), { ...PLAIN, ...headers })
        expect(answer).toMatchObject(refused('session.unproven_page'))
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    }
    expect(await snapshot(app.db)).toBe(before)
  },
)

test.each(['user', 'admin', 'root'] as const)(
  'the consoles can sign out and generate access tokens: %s',
  async (role) => {
    const app = await testApp()
    for (const headers of proven(new URL(app.url).host)) {
      const client = await clientOf(app, role)
      const { data } = await client.get('/api/user/token', { ...PLAIN, ...headers })
      expect(data).toStartWith('at-')
      expect((await client.get('/api/user/logout', { ...PLAIN, ...headers })).success).toBe(true)
      expect(await client.get('/api/user/self')).toMatchObject(refused('session.missing'))
    }
  },
)

test('a program that sends a cookie does so on purpose; a browser’s request is never taken for a program’s', async () => {
  const app = await testApp()
  const program = { [CONSOLE_HEADER]: '', 'user-agent': 'curl/8.5.0', accept: '*/*' }
  expect((await app.client().get('/api/oauth/state', program)).success).toBe(true)
  const { client } = await makeUser(app)
  expect((await client.get('/api/user/token', program)).success).toBe(true)
  for (const more of [
    { referer: 'http://evil.gate.test:4376/' },
    { 'sec-fetch-site': 'none' },
    { accept: IMAGE },
    { accept: PAGE },
    { 'user-agent': PLAIN['user-agent'] },
  ]) {
    expect((await client.get('/api/user/token', { ...program, ...more })).success).toBe(false)
  }
})

test('a console of another origin may send its header, and no other origin may', async () => {
  const console = 'https://console.example'
  const app = await testApp({ consoleOrigins: [console] })
  const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': CONSOLE_HEADER }
  const preflight = (origin: string) => app.client().send('OPTIONS', '/api/user/token', undefined, { origin, ...asked })
  const allowed = await preflight(console)
  expect(allowed.headers.get('access-control-allow-origin')).toBe(console)
  expect(allowed.headers.get('access-control-allow-headers')).toContain(CONSOLE_HEADER)
  expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
  const { client } = await makeUser(app)
  expect((await client.get('/api/user/token', { origin: console })).success).toBe(true)
})

async function clientOf(app: TestApp, role: 'visitor' | 'user' | 'admin' | 'root') {
  if (role === 'visitor') return app.client()
  if (role === 'root') return signedIn(app, 1)
  return (await (role === 'admin' ? makeAdmin(app) : makeUser(app))).client
}

test('no page of another site can make a browser change anything', async () => {
  const app = await testApp()
  const root = await signedIn(app, 1)
  const before = await snapshot(app.db)
  for (const { endpoint } of changing) {
    const path = endpoint.path.replaceAll(/:\w+/g, '1')
    const body = endpoint.method === 'GET' ? undefined : {}
    for (const headers of FOREIGN) {
      expect(await root.send(endpoint.method, path, body, headers)).toMatchObject(refused('session.foreign_page'))
    }
  }
  expect(await snapshot(app.db)).toBe(before)
})

test('nor can another site sign its visitor in as somebody else', async () => {
  const app = await testApp()
  const { username } = await makeUser(app)
  const client = app.client()
  for (const headers of FOREIGN) {
    const answer = await client.post('/api/user/login', { username, password: PASSWORD }, headers)
    expect(answer).toMatchObject(refused('session.foreign_page'))
  }
  expect(client.cookies.size).toBe(0)
})

test('our own pages can change what their user may change', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { host } = new URL(app.url)
  const own: Record<string, string>[] = [
    { origin: app.url, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin' },
    { origin: app.url },
    { origin: `https://${host}` }, // a proxy terminated TLS
    {},
  ]
  for (const [index, headers] of own.entries()) {
    const answer = await client.put('/api/user/self', { display_name: `name ${index}` }, headers)
    expect(answer.data.display_name).toBe(`name ${index}`)
  }
})

test('reading changes nothing: a link from elsewhere may be followed', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  for (const headers of FOREIGN) expect((await client.get('/api/user/self', headers)).success).toBe(true)
})

test('a program with an access token has no cookie that a page could abuse', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data: accessToken } = await client.get('/api/user/token')
  const program = app.client({ authorization: accessToken })
  for (const [index, headers] of FOREIGN.entries()) {
    const answer = await program.put('/api/user/self', { display_name: `name ${index}` }, headers)
    expect(answer.success).toBe(true)
  }
})

test('an access token does not allow what a cookie may not', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data: accessToken } = await client.get('/api/user/token')
  const both = { authorization: accessToken, origin: 'https://evil.example' }
  const answer = await client.put('/api/user/self', { display_name: 'x' }, both)
  expect(answer).toMatchObject(refused('session.foreign_page'))
})
