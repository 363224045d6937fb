import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { codeIn, linkIn, withMail } from '../testing/mailbox.ts'
import { makeUser, PASSWORD } from '../testing/makers.ts'
import type { smtpServer } from '../testing/outside/smtp-server.ts'
import { refused } from '../testing/refused.ts'

async function codeFor(app: TestApp, mail: Awaited<ReturnType<typeof smtpServer>>, email: string) {
  await app.client().get(`/api/verification?email=${email}`)
  return codeIn(await mail.waitForMail(email))
}

test('the code of the mail binds the address to the account [R7.28]', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  const { client, id } = await makeUser(app)
  const code = await codeFor(app, mail, 'anna@example.com')
  const answer = await client.get(`/api/oauth/email/bind?email=Anna@Example.com&code=${code}`)
  expect(answer.body).toEqual({ success: true, message: '' })
  expect((await client.get('/api/user/self')).data.email).toBe('anna@example.com')
  const login = await app.client().post('/api/user/login', { username: 'anna@example.com', password: PASSWORD })
  expect(login.data.id).toBe(id)
})

test('a code binds once, and only the address it was sent to', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  const { client } = await makeUser(app)
  const code = await codeFor(app, mail, 'anna@example.com')
  const bind = (email: string, proof: string) => client.get(`/api/oauth/email/bind?email=${email}&code=${proof}`)
  expect(await bind('bert@example.com', code)).toMatchObject(refused('register.bad_code'))
  expect((await bind('anna@example.com', code)).success).toBe(true)
  expect(await bind('anna@example.com', code)).toMatchObject(refused('register.bad_code'))
  expect((await client.get('/api/user/self')).data.email).toBe('anna@example.com')
})

test('the token of a reset mail binds nothing', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  const owner = await makeUser(app, { email: 'anna@example.com' })
  await app.client().get('/api/reset_password?email=anna@example.com')
  const token = linkIn(await mail.waitForMail('anna@example.com')).searchParams.get('token') ?? ''
  const { client } = await makeUser(app)
  const short = await client.get(`/api/oauth/email/bind?email=anna@example.com&code=${token.slice(0, 32)}`)
  expect(short).toMatchObject(refused('register.bad_code'))
  const whole = await client.get(`/api/oauth/email/bind?email=anna@example.com&code=${token}`)
  expect(whole.success).toBe(false)
  expect((await owner.client.get('/api/user/self')).data.email).toBe('anna@example.com')
})

test('an address that somebody took between mail and click is refused', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  const { client } = await makeUser(app, { email: 'before@example.com' })
  const code = await codeFor(app, mail, 'anna@example.com')
  await makeUser(app, { email: 'anna@example.com' })
  const answer = await client.get(`/api/oauth/email/bind?email=anna@example.com&code=${code}`)
  expect(answer).toMatchObject(refused('register.email_taken'))
  expect((await client.get('/api/user/self')).data.email).toBe('before@example.com')
})

test('a visitor binds nothing and spends no code', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  const code = await codeFor(app, mail, 'anna@example.com')
  const path = `/api/oauth/email/bind?email=anna@example.com&code=${code}`
  expect(await app.client().get(path)).toMatchObject(refused('session.missing'))
  const { client } = await makeUser(app)
  expect((await client.get(path)).success).toBe(true)
})
