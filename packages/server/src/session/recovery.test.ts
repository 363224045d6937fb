import { expect, test } from 'bun:test'
import { errorText } from '../common/errors.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { linkIn, withMail } from '../testing/mailbox.ts'
import { asRoot, makeAdmin, makeUser, PASSWORD, setOptions, signedIn } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const requestReset = (app: TestApp, email: string) =>
  app.client().get(`/api/reset_password?email=${encodeURIComponent(email)}&turnstile=`)
const reset = (app: TestApp, email: string, token: string) => app.client().post('/api/user/reset', { email, token })
const login = (app: TestApp, username: string, password: string) =>
  app.client().post('/api/user/login', { username, password })

/** An account whose owner requested a reset and has the mail. */
async function forgetfulUser() {
  const app = await testApp()
  const mail = await withMail(app)
  const user = await makeUser(app, { username: 'anna', email: 'anna@example.com' })
  await requestReset(app, 'Anna@example.com')
  const link = linkIn(await mail.waitForMail('anna@example.com'))
  return { app, mail, user, link, token: link.searchParams.get('token') ?? '' }
}

test('the link of the mail leads to a new password, which is shown once [R7.09 R7.10]', async () => {
  const { app, link, token } = await forgetfulUser()
  expect(link.pathname).toBe('/user/reset')
  expect(link.searchParams.get('email')).toBe('anna@example.com')
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  const answer = await reset(app, 'anna@example.com', token)
  expect(answer).toMatchObject({ status: 200, success: true, message: '' })
  expect(answer.data).toMatch(/^[0-9A-Za-z]{20}$/)
  expect((await login(app, 'anna', answer.data)).success).toBe(true)
  expect(await login(app, 'anna', PASSWORD)).toMatchObject(refused('session.bad_credentials'))
})

test('the link leads to the configured address, never to the host of the request', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  await makeUser(app, { email: 'anna@example.com' })
  await setOptions(app, { ServerAddress: 'https://gateway.example.com/' })
  await app.client().get('/api/reset_password?email=anna@example.com', { host: 'evil.example' })
  expect(linkIn(await mail.waitForMail('anna@example.com')).origin).toBe('https://gateway.example.com')
})

test('a reset ends every session and the access token', async () => {
  const { app, user, token } = await forgetfulUser()
  const { data: accessToken } = await user.client.get('/api/user/token')
  await reset(app, 'anna@example.com', token)
  expect(await user.client.get('/api/user/self')).toMatchObject(refused('session.missing'))
  const program = app.client({ authorization: accessToken })
  expect(await program.get('/api/user/self')).toMatchObject(refused('session.bad_access_token'))
})

test('a link works once, also when it is opened twice at the same moment', async () => {
  const { app, token } = await forgetfulUser()
  const answers = await Promise.all([1, 2, 3].map(() => reset(app, 'ANNA@example.com', token)))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  expect(await reset(app, 'anna@example.com', token)).toMatchObject(refused('reset.bad_token'))
})

test('wrong tokens do not use up the link of the owner', async () => {
  const { app, token } = await forgetfulUser()
  const wrong = Array.from({ length: 12 }, (_, index) => `${index}`.padStart(64, '0'))
  const answers = await Promise.all(wrong.map((guess) => reset(app, 'anna@example.com', guess)))
  expect(answers.some(({ success }) => success)).toBe(false)
  expect(await reset(app, 'anna@example.com', token)).toMatchObject({ success: true })
})

test('a link is valid for thirty minutes', async () => {
  const { app, token } = await forgetfulUser()
  app.clock.pass(1800)
  expect(await reset(app, 'anna@example.com', token)).toMatchObject(refused('reset.bad_token'))
  expect((await login(app, 'anna', PASSWORD)).success).toBe(true)
})

test('a link resets the account it was sent to and no other', async () => {
  const { app, token } = await forgetfulUser()
  await makeUser(app, { username: 'bert', email: 'bert@example.com' })
  expect(await reset(app, 'bert@example.com', token)).toMatchObject(refused('reset.bad_token'))
  expect((await login(app, 'bert', PASSWORD)).success).toBe(true)
  expect((await reset(app, 'anna@example.com', token)).success).toBe(true)
})

test('a later link replaces the earlier one', async () => {
  const { app, mail, token } = await forgetfulUser()
  app.clock.pass(30)
  await requestReset(app, 'anna@example.com')
  const newer = linkIn(await mail.waitForMail('anna@example.com')).searchParams.get('token') ?? ''
  expect(await reset(app, 'anna@example.com', token)).toMatchObject(refused('reset.bad_token'))
  expect((await reset(app, 'anna@example.com', newer)).success).toBe(true)
})

test('a verification code is not a reset token, and vice versa', async () => {
  const { app, mail, token } = await forgetfulUser()
  app.clock.pass(30)
  const { client } = await makeUser(app)
  const bind = await client.get(`/api/oauth/email/bind?email=anna@example.com&code=${token.slice(0, 32)}`)
  expect(bind).toMatchObject(refused('register.bad_code'))
  await app.client().get('/api/verification?email=new@example.com')
  const code = /\b\d{6}\b/.exec((await mail.waitForMail('new@example.com')).text)?.[0] ?? ''
  expect(await reset(app, 'new@example.com', code)).toMatchObject(refused('reset.bad_token'))
})

test('an address without an account gets the same answer and no mail', async () => {
  const { app, mail } = await forgetfulUser()
  const root = await asRoot(app)
  await makeUser(app, { username: 'banned', email: 'banned@example.com' })
  await root.post('/api/user/manage', { username: 'banned', action: 'disable' })
  await makeUser(app, { username: 'gone', email: 'gone@example.com' })
  await root.post('/api/user/manage', { username: 'gone', action: 'delete' })
  app.clock.pass(30)
  const known = await requestReset(app, 'anna@example.com')
  for (const email of ['nobody@example.com', 'banned@example.com', 'gone@example.com']) {
    const answer = await requestReset(app, email)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: known.status, body: known.body })
  }
  await mail.waitForMail('anna@example.com')
  const others = mail.received.filter(({ envelope }) => !envelope.to.includes('anna@example.com'))
  expect(others).toEqual([])
  expect((await requestReset(app, 'nobody@example.com')).status).toBe(429)
})

test('an account that was banned after the mail cannot be recovered with it', async () => {
  const { app, token } = await forgetfulUser()
  await (await asRoot(app)).post('/api/user/manage', { username: 'anna', action: 'disable' })
  expect(await reset(app, 'anna@example.com', token)).toMatchObject(refused('reset.bad_token'))
})

test('root is recovered by mail only after root itself has allowed it [R2.77 R7.10]', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  const root = await asRoot(app)
  await app.db.updateTable('users').set({ email: 'root@example.com' }).where('id', '=', 1).execute()

  const closed = await requestReset(app, 'root@example.com')
  expect(closed.body).toEqual({ success: true, message: '' })

  const { client: admin } = await makeAdmin(app)
  expect(await admin.put('/api/user/', { id: 1, external_login: true })).toMatchObject(refused('user.rank'))
  expect((await root.get('/api/user/self')).data.external_login).toBe(false)

  expect(
    (await root.put('/api/user/self', { external_login: true, current_password: '123456' })).data.external_login,
  ).toBe(true)
  app.clock.pass(30)
  await requestReset(app, 'root@example.com')
  const { searchParams } = linkIn(await mail.waitForMail('root@example.com'))
  expect(mail.received).toHaveLength(1)

  // Disabled again between the mail and the click.
  await root.put('/api/user/self', { external_login: false })
  const token = searchParams.get('token') ?? ''
  expect(await reset(app, 'root@example.com', token)).toMatchObject(refused('reset.bad_token'))
})

test('an administrator is recovered by mail only after allowing it, and no longer after a new promotion', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  const root = await asRoot(app)
  const { id } = await makeUser(app, { username: 'anna', email: 'anna@example.com' })
  await root.post('/api/user/manage', { username: 'anna', action: 'promote' })
  await requestReset(app, 'anna@example.com')
  const anna = await signedIn(app, id)
  await anna.put('/api/user/self', { external_login: true, current_password: PASSWORD })
  app.clock.pass(30)
  await requestReset(app, 'anna@example.com')
  const token = linkIn(await mail.waitForMail('anna@example.com')).searchParams.get('token') ?? ''
  expect(mail.received).toHaveLength(1)

  await root.post('/api/user/manage', { username: 'anna', action: 'demote' })
  await root.post('/api/user/manage', { username: 'anna', action: 'promote' })
  expect(await reset(app, 'anna@example.com', token)).toMatchObject(refused('reset.bad_token'))
})

test('as much is written for an unknown address as for a known one', async () => {
  const app = await testApp()
  await withMail(app)
  await makeUser(app, { email: 'anna@example.com' })
  const written = async (email: string) => {
    await requestReset(app, email)
    const rows = await app.db.selectFrom('mail_codes').selectAll().where('email', '=', email).execute()
    return rows.map(({ purpose, tries, code_hash }) => [purpose, tries, code_hash.length])
  }
  expect(await written('nobody@example.com')).toEqual(await written('anna@example.com'))
})

test('root that allowed it is recovered like anybody', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  const root = await asRoot(app)
  await app.db.updateTable('users').set({ email: 'root@example.com' }).where('id', '=', 1).execute()
  await root.put('/api/user/self', { external_login: true, current_password: '123456' })
  await requestReset(app, 'root@example.com')
  const token = linkIn(await mail.waitForMail('root@example.com')).searchParams.get('token') ?? ''
  const { data: password } = await reset(app, 'root@example.com', token)
  expect((await login(app, 'root', password)).data).toMatchObject({ role: 100, default_password: false })
})

test('without a mail server a reset is refused; a mail that cannot be sent is logged', async () => {
  const app = await testApp()
  expect(await requestReset(app, 'anna@example.com')).toMatchObject(refused('mail.not_configured'))
  const mail = await withMail(app)
  await makeUser(app, { email: 'anna@example.com' })
  await mail.stop()
  app.clock.pass(30)
  expect((await requestReset(app, 'anna@example.com')).success).toBe(true)
  const line = await app.logged('A reset mail could not be sent')
  expect(line).toContain(errorText('mail.failed', 'en'))
})
