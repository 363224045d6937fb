import { expect, test } from 'bun:test'
import { Role, UserStatus } from '@tollgate/contract'
import ipaddr from 'ipaddr.js'
import { verifyPassword } from '../security/passwords.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { asRoot, makeUser, PASSWORD, setOptions, withGitHub } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const PROXY = [ipaddr.parseCIDR('127.0.0.0/8')]
const from = (ip: string) => ({ 'x-forwarded-for': ip })

/** A hash that is cheap to check, for tests that guess a lot. */
const cheapHash = await Bun.password.hash(PASSWORD, { algorithm: 'bcrypt', cost: 4 })

async function makeGuessedUser(app: TestApp, overrides: { username?: string; email?: string } = {}) {
  const user = await makeUser(app, overrides)
  await makeCheap(app, user.id)
  return { ...user, role: Role.user }
}

/** Again after each sign-in, which replaces it with an expensive one. */
const makeCheap = (app: TestApp, id: number) =>
  app.db.updateTable('users').set({ password: cheapHash }).where('id', '=', id).execute()

async function makeGuessedAdmin(app: TestApp) {
  const { id, username } = await makeGuessedUser(app)
  await app.db.updateTable('users').set({ role: Role.admin }).where('id', '=', id).execute()
  return { username, role: Role.admin }
}

async function makeGuessedRoot(app: TestApp) {
  await makeCheap(app, 1)
  return { username: 'root', role: Role.root }
}

test('signing in returns what a browser may know about the user, and opens a session [R7.06 R3.27 R4.01]', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { username: 'anna' })
  const client = app.client()
  const { body, status } = await client.post('/api/user/login', { username: 'anna', password: PASSWORD })
  expect(status).toBe(200)
  expect(body).toEqual({
    success: true,
    message: '',
    data: { id, username: 'anna', display_name: 'anna', role: 1, status: 1, default_password: false },
  })
  expect(await client.get('/api/user/self')).toMatchObject({ success: true, data: { username: 'anna' } })
})

test('the e-mail address of an account is a login name too, in any case', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { email: 'anna@example.com' })
  const answer = await app.client().post('/api/user/login', { username: 'Anna@Example.com', password: PASSWORD })
  expect(answer).toMatchObject({ success: true, data: { id } })
})

test('a username is looked for before an address', async () => {
  const app = await testApp()
  await makeUser(app, { username: 'b', email: 'a@b.cn' })
  const named = await makeUser(app, { username: 'a@b.cn' })
  const answer = await app.client().post('/api/user/login', { username: 'a@b.cn', password: PASSWORD })
  expect(answer.data.id).toBe(named.id)
})

test('unknown, wrong, banned and deleted get the same answer and no cookie', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await makeUser(app, { username: 'anna' })
  const banned = await makeUser(app, { username: 'bert' })
  await root.post('/api/user/manage', { username: 'bert', action: 'disable' })
  await makeUser(app, { username: 'carl', email: 'carl@example.com' })
  await root.post('/api/user/manage', { username: 'carl', action: 'delete' })

  const client = app.client()
  const tries = [
    { username: 'nobody', password: PASSWORD },
    { username: 'anna', password: `${PASSWORD}!` },
    { username: 'bert', password: PASSWORD },
    { username: 'carl', password: PASSWORD },
    { username: 'carl@example.com', password: PASSWORD },
  ]
  for (const credentials of tries) {
    const answer = await client.post('/api/user/login', credentials)
    expect(answer).toMatchObject(refused('session.bad_credentials'))
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect(await app.parts.accounts.find(banned.id)).toMatchObject({ status: UserStatus.banned })
})

test('an account without a password cannot be entered with one', async () => {
  const app = await testApp()
  const { id, username } = await makeUser(app)
  await app.db.updateTable('users').set({ password: '' }).where('id', '=', id).execute()
  for (const password of ['nobody has this password', ' ', '123456']) {
    const answer = await app.client().post('/api/user/login', { username, password })
    expect(answer).toMatchObject(refused('session.bad_credentials'))
  }
})

test('an invalid stored hash lets nobody in', async () => {
  const app = await testApp()
  const { id, username } = await makeUser(app)
  await app.db.updateTable('users').set({ password: 'plain text' }).where('id', '=', id).execute()
  const answer = await app.client().post('/api/user/login', { username, password: 'plain text' })
  expect(answer).toMatchObject(refused('session.bad_credentials'))
})

test('the default password is reported at login until it is changed [R2.33]', async () => {
  const app = await testApp()
  const client = app.client()
  const first = await client.post('/api/user/login', { username: 'root', password: '123456' })
  expect(first.data).toMatchObject({ role: 100, default_password: true })
  expect((await client.get('/api/user/self')).data.default_password).toBe(true)
  await client.put('/api/user/self', { password: 'a better one' })
  const second = await client.post('/api/user/login', { username: 'root', password: 'a better one' })
  expect(second.data.default_password).toBe(false)
  const old = await app.client().post('/api/user/login', { username: 'root', password: '123456' })
  expect(old).toMatchObject(refused('session.bad_credentials'))
})

test('an imported bcrypt password is verified and replaced by argon2id, once', async () => {
  const app = await testApp()
  const { id, username } = await makeUser(app)
  const bcrypt = await Bun.password.hash('imported one', { algorithm: 'bcrypt', cost: 4 })
  // Written by Go's library, which calls the same algorithm 2a.
  const imported = bcrypt.replace('$2b$', '$2a$')
  await app.db.updateTable('users').set({ password: imported }).where('id', '=', id).execute()
  const stored = async () => (await app.parts.accounts.find(id))?.password ?? ''

  await app.client().post('/api/user/login', { username, password: 'wrong' })
  expect(await stored()).toBe(imported)
  const client = app.client()
  expect(await client.post('/api/user/login', { username, password: 'imported one' })).toMatchObject({ success: true })
  const replaced = await stored()
  expect(replaced).toStartWith('$argon2id$v=19$m=19456,t=2,')
  expect(await client.get('/api/user/self')).toMatchObject({ success: true })

  expect(await client.post('/api/user/login', { username, password: 'imported one' })).toMatchObject({ success: true })
  expect(await stored()).toBe(replaced)
})

test('passwords are compared by characters, not by their bytes', async () => {
  const app = await testApp()
  const { client, username } = await makeUser(app)
  await client.put('/api/user/self', { password: 'caf\u00e9 ﬁne 123' })
  const answer = await app.client().post('/api/user/login', { username, password: 'cafe\u0301 fine 123' })
  expect(answer.success).toBe(true)
})

test('password login can be disabled [R2.69]', async () => {
  const app = await testApp()
  const { username } = await makeUser(app)
  await withGitHub(app)
  await setOptions(app, { PasswordLoginEnabled: false })
  const answer = await app.client().post('/api/user/login', { username, password: PASSWORD })
  expect(answer).toMatchObject(refused('session.password_login_off'))
})

test('ten wrong passwords lock an account for a while, whichever of its names was used', async () => {
  const app = await testApp()
  await makeGuessedUser(app, { username: 'anna', email: 'anna@example.com' })
  const client = app.client()
  for (const username of ['anna', 'anna@example.com', 'ANNA@example.com', 'anna', 'anna']) {
    for (const password of ['wrong', 'wrong too']) {
      expect((await client.post('/api/user/login', { username, password })).status).toBe(200)
    }
  }
  const closed = await client.post('/api/user/login', { username: 'anna', password: PASSWORD })
  expect(closed).toMatchObject(refused('http.too_many'))
  expect(closed.headers.get('retry-after')).toBe('90')
  app.clock.pass(91)
  const open = await client.post('/api/user/login', { username: 'anna', password: PASSWORD })
  expect(open.success).toBe(true)
})

test('an unknown name is locked in the same way', async () => {
  const app = await testApp()
  const client = app.client()
  const guess = () => client.post('/api/user/login', { username: 'nobody', password: 'guess' })
  for (let round = 0; round < 10; round++) expect((await guess()).status).toBe(200)
  expect(await guess()).toMatchObject(refused('http.too_many'))
}, 30_000)

test('right passwords are not counted', async () => {
  const app = await testApp()
  const { username } = await makeGuessedUser(app)
  // Each time from a browser that is new to the account.
  const login = (password: string) => app.client().post('/api/user/login', { username, password })
  for (let round = 0; round < 9; round++) await login('wrong')
  for (let round = 0; round < 3; round++) expect((await login(PASSWORD)).success).toBe(true)
  expect((await login('wrong')).status).toBe(200)
  expect((await login(PASSWORD)).status).toBe(429)
}, 30_000)

test('ten wrong passwords from one address lock the account there and nowhere else', async () => {
  const app = await testApp({ trustedProxies: PROXY })
  const login = (username: string, password: string, ip: string) =>
    app.client().post('/api/user/login', { username, password }, from(ip))
  for (const { username, role } of [
    await makeGuessedUser(app),
    await makeGuessedAdmin(app),
    await makeGuessedRoot(app),
  ]) {
    const ip = `203.0.113.${role}`
    for (let round = 0; round < 10; round++) expect((await login(username, 'wrong', ip)).status).toBe(200)
    expect((await login(username, PASSWORD, ip)).status).toBe(429)
    expect((await login(username, PASSWORD, '198.51.100.1')).success).toBe(true)
  }
}, 30_000)

test('guesses from many addresses are limited to a hundred a day, and do not lock out a browser that has signed in before', async () => {
  const app = await testApp({ trustedProxies: PROXY })
  const { id, username } = await makeGuessedUser(app)
  const owner = app.client()
  const login = (client: Client, password: string, ip: string) =>
    client.post('/api/user/login', { username, password }, from(ip))
  expect((await login(owner, PASSWORD, '198.51.100.1')).success).toBe(true)
  await makeCheap(app, id)

  const answers: number[] = []
  for (let place = 0; place < 120; place++) {
    answers.push((await login(app.client(), 'wrong', `203.0.113.${place}`)).status)
  }
  expect(answers.filter((status) => status === 200)).toHaveLength(100)
  expect((await login(app.client(), PASSWORD, '198.51.100.2')).status).toBe(429)
  app.clock.pass(3600)
  const later: number[] = []
  for (let place = 0; place < 10; place++) later.push((await login(app.client(), 'wrong', `192.0.2.${place}`)).status)
  expect(later.filter((status) => status === 200)).toHaveLength(4)

  // Even from a network that is blocked itself.
  expect((await login(owner, PASSWORD, '203.0.113.5')).success).toBe(true)
  await makeCheap(app, id)
  const lost = [...owner.cookies].find(([name]) => name.startsWith('device_'))
  for (let round = 0; round < 10; round++) expect((await login(owner, 'wrong', '198.51.100.1')).status).toBe(200)
  expect((await login(owner, PASSWORD, '198.51.100.1')).status).toBe(429)
  expect(lost?.[1]).toBe(owner.cookies.get(lost?.[0] ?? ''))
}, 60_000)

test('the mark of a known browser is valid only for its account, and cannot be forged', async () => {
  const app = await testApp({ trustedProxies: PROXY })
  const victim = await makeGuessedUser(app)
  const other = await makeGuessedUser(app)
  const client = app.client()
  await client.post('/api/user/login', { username: other.username, password: PASSWORD }, from('203.0.113.1'))
  const mark = client.cookies.get(`device_${other.id}`) ?? ''
  expect(mark).toStartWith('v1.')
  for (const value of [mark, 'v1.x.y.z', 'x', mark.slice(0, -2)]) {
    const cookie = `device_${victim.id}=${value}`
    const guess = () =>
      app.client({ cookie }).post('/api/user/login', { username: victim.username, password: 'x' }, from('203.0.113.9'))
    for (let round = 0; round < 10; round++) await guess()
    expect((await guess()).status).toBe(429)
    app.clock.pass(900)
  }
}, 60_000)

test('thirty wrong passwords block an address; it can then neither guess nor lock the accounts of others', async () => {
  const app = await testApp({ trustedProxies: PROXY })
  const { username } = await makeGuessedUser(app)
  const victims = [await makeGuessedUser(app), await makeGuessedUser(app), await makeGuessedUser(app)]
  const client = app.client()
  for (let round = 0; round < 30; round++) {
    const guess = { username: victims[round % 3]?.username, password: 'x' }
    expect((await client.post('/api/user/login', guess, from('203.0.113.7'))).status).toBe(200)
  }
  for (let round = 0; round < 12; round++) {
    const answer = await client.post('/api/user/login', { username, password: 'x' }, from('203.0.113.7'))
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('30')
  }
  const elsewhere = await client.post('/api/user/login', { username, password: PASSWORD }, from('203.0.113.8'))
  expect(elsewhere.success).toBe(true)
})

test('a server with too many passwords to check says so, and not that the password is wrong', async () => {
  const app = await testApp()
  const { username } = await makeUser(app)
  // Two slow checks, and as many behind them as may wait.
  const slow = `$2b$12$${'.'.repeat(53)}`
  const flood = Array.from({ length: 52 }, (_, place) => verifyPassword('x', place < 2 ? slow : ''))
  const answer = await app.client().post('/api/user/login', { username, password: PASSWORD })
  expect(answer).toMatchObject(refused('server.busy'))
  expect(answer.headers.get('retry-after')).toBe('1')
  await Promise.all(flood)
}, 60_000)

test('the cookies of a sign-in are not accessible to scripts and other sites', async () => {
  const app = await testApp()
  const { username } = await makeUser(app)
  const { headers } = await app.client().post('/api/user/login', { username, password: PASSWORD })
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^session=[0-9a-f]{64}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/),
    expect.stringMatching(/^device_\d+=v1\.[\w.-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict$/),
  ])
})

test('behind a trusted https proxy the cookie is Secure and cannot be planted by a sibling domain', async () => {
  const app = await testApp({ trustedProxies: PROXY })
  const { username } = await makeUser(app)
  const https = { 'x-forwarded-proto': 'https' }
  const client = app.client(https)
  const { headers } = await client.post('/api/user/login', { username, password: PASSWORD })
  const [cookie = ''] = headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-session=[0-9a-f]{64}; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/)
  expect((await client.get('/api/user/self')).success).toBe(true)

  const value = client.cookies.get('__Host-session')
  const planted = await app.client(https).get('/api/user/self', { cookie: `session=${value}` })
  expect(planted).toMatchObject(refused('session.missing'))
})

test('a client that is no trusted proxy cannot claim https', async () => {
  const app = await testApp()
  const { username } = await makeUser(app)
  const client = app.client({ 'x-forwarded-proto': 'https' })
  const { headers } = await client.post('/api/user/login', { username, password: PASSWORD })
  expect(headers.getSetCookie()[0]).toStartWith('session=')
})

test('each login has a new session id and ends the session it replaces', async () => {
  const app = await testApp()
  const { username } = await makeUser(app)
  const client = app.client()
  const login = () => client.post('/api/user/login', { username, password: PASSWORD })
  await login()
  const first = client.cookies.get('session')
  await login()
  expect(client.cookies.get('session')).not.toBe(first)
  const replayed = await app.client().get('/api/user/self', { cookie: `session=${first}` })
  expect(replayed).toMatchObject(refused('session.missing'))
  expect(await app.db.selectFrom('sessions').selectAll().execute()).toHaveLength(2) // one of them belongs to the creator
})

test('logging out ends the session on the server, not only in the browser [R7.05 R4.02]', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const cookie = `session=${client.cookies.get('session')}`
  const answer = await client.get('/api/user/logout')
  expect(answer.body).toEqual({ success: true, message: '' })
  expect(answer.headers.getSetCookie()).toEqual(['session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'])
  expect(await app.client().get('/api/user/self', { cookie })).toMatchObject(refused('session.missing'))
})

test('logging out without a session is no error', async () => {
  const app = await testApp()
  expect(await app.client().get('/api/user/logout')).toMatchObject({ status: 200, success: true })
})

test('a login without a name or a password, or with more than these, is refused', async () => {
  const app = await testApp()
  const client = app.client()
  for (const body of [
    { username: '', password: 'x' },
    { username: 'root', password: '' },
  ]) {
    expect(await client.post('/api/user/login', body)).toMatchObject({ status: 200, success: false })
  }
  for (const body of [{}, { username: 1, password: '123456' }, { username: 'root', password: '123456', role: 100 }]) {
    expect(await client.post('/api/user/login', body)).toMatchObject({ status: 400, success: false })
  }
  expect(client.cookies.size).toBe(0)
})
