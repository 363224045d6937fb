import { expect, test } from 'bun:test'
import { ENDPOINTS } from '@tollgate/contract'
import { testApp } from '../testing/app.ts'
import { snapshot } from '../testing/database-snapshot.ts'
import { makeUser, PASSWORD, signedIn } from '../testing/makers.ts'
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

test('the calls that change something are all but GET, and these', () => {
  const names = changing.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'channels.test',
      'channels.testAll',
      'channels.updateAllBalances',
      'channels.updateBalance',
      'oauth.bindEmail',
      'oauth.bindWechat',
      'oauth.github',
      'oauth.lark',
      'oauth.wechat',
      'session.logout',
      'session.requestReset',
      'session.verification',
      'users.accessToken',
    ]),
  )
})

test('no page of another site can make a browser change anything', async () => {
  const app = await testApp()
  const root = await signedIn(app, 1)
  const before = await snapshot(app.db)
  for (const { endpoint } of changing) {
    const path = endpoint.path.replace(':id', '1')
    const body = endpoint.method === 'GET' ? undefined : {}
    for (const headers of FOREIGN) {
      expect(await root.send(endpoint.method, path, body, headers)).toMatchObject(refused('session.foreign_page'))
    }
  }
  expect(await snapshot(app.db)).toEqual(before)
})

test('a page of another site cannot sign its visitor in as somebody else either', async () => {
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
    { origin: `https://${host}` }, // a proxy ended TLS
    {},
  ]
  for (const [index, headers] of own.entries()) {
    const answer = await client.put('/api/user/self', { display_name: `name ${index}` }, headers)
    expect(answer.data.display_name).toBe(`name ${index}`)
    expect((await client.get('/api/user/token', headers)).success).toBe(true)
  }
})

test('reading is no change: a link from elsewhere may be followed', async () => {
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

test('an access token does not open what a cookie closes', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data: accessToken } = await client.get('/api/user/token')
  const both = { authorization: accessToken, origin: 'https://evil.example' }
  const answer = await client.put('/api/user/self', { display_name: 'x' }, both)
  expect(answer).toMatchObject(refused('session.foreign_page'))
})
