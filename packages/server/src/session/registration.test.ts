import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { codeIn, withMail } from '../testing/mailbox.ts'
import { asRoot, makeUser, PASSWORD, setOptions } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const anna = { username: 'anna', password: PASSWORD, password2: PASSWORD }

const register = (app: TestApp, fields: object) => app.client().post('/api/user/register?turnstile=', fields)
const requestCode = (app: TestApp, email: string) =>
  app.client().get(`/api/verification?email=${encodeURIComponent(email)}&turnstile=`)
const named = (app: TestApp, username: string) => app.parts.accounts.findByName(username)

/** With verification enabled, and a mail server. */
async function verifyingApp() {
  const app = await testApp()
  const mail = await withMail(app)
  await setOptions(app, { EmailVerificationEnabled: true })
  return { app, mail }
}

test('registering opens an ordinary account that can sign in [R7.07 R3.26]', async () => {
  const app = await testApp()
  const answer = await register(app, { ...anna, email: '', verification_code: '', aff_code: '' })
  expect(answer.body).toEqual({ success: true, message: '' })
  expect(answer.headers.getSetCookie()).toEqual([])
  const client = app.client()
  await client.post('/api/user/login', { username: 'anna', password: PASSWORD })
  expect((await client.get('/api/user/self')).data).toMatchObject({
    username: 'anna',
    display_name: 'anna',
    role: 1,
    status: 1,
    group: 'default',
    quota: 0,
    email: '',
    inviter_id: 0,
    default_password: false,
  })
  expect((await client.get('/api/token/')).data).toMatchObject([{ name: 'default', unlimited_quota: true }])
})

test('registration can be switched off, altogether or with a password only [R2.69]', async () => {
  const app = await testApp()
  await setOptions(app, { PasswordRegisterEnabled: false })
  expect(await register(app, anna)).toMatchObject(refused('register.password_off'))
  await setOptions(app, { RegisterEnabled: false, PasswordRegisterEnabled: true })
  expect(await register(app, anna)).toMatchObject(refused('register.off'))
  expect(await named(app, 'anna')).toBeUndefined()
})

test('a password has 8 to 128 characters and is not the name', async () => {
  const app = await testApp()
  const attempt = (password: string, username = 'anna') => register(app, { username, password, password2: password })
  for (const password of ['', '1234567', 'x'.repeat(129)]) {
    expect(await attempt(password)).toMatchObject({ status: 200, success: false })
  }
  expect(await attempt('AnnaAnna', 'annaanna')).toMatchObject(refused('user.password_is_name'))
  expect(await named(app, 'anna')).toBeUndefined()
  expect((await attempt('12345678')).success).toBe(true)
  expect((await attempt('x'.repeat(128), 'bert')).success).toBe(true)
})

test('the two passwords must be the same; older clients send only one', async () => {
  const app = await testApp()
  expect(await register(app, { ...anna, password2: 'something else' })).toMatchObject(
    refused('register.passwords_differ'),
  )
  expect(await named(app, 'anna')).toBeUndefined()
  expect((await register(app, { username: 'anna', password: PASSWORD })).success).toBe(true)
})

test('a username has 1 to 12 visible characters', async () => {
  const app = await testApp()
  for (const username of ['', '   ', 'thirteen-long', 'a\nb', 'a\u2028b']) {
    expect(await register(app, { ...anna, username })).toMatchObject({ status: 200, success: false })
  }
  for (const username of [' bert ', '十二个字的用户名也可以用']) {
    expect((await register(app, { ...anna, username })).success).toBe(true)
  }
  expect(await named(app, 'bert')).toBeDefined()
})

test('a taken name is refused, also to many who ask for it at the same moment', async () => {
  const app = await testApp()
  const answers = await Promise.all(Array.from({ length: 5 }, () => register(app, anna)))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  for (const answer of answers) if (!answer.success) expect(answer).toMatchObject(refused('register.username_taken'))
  expect(await app.db.selectFrom('users').select('id').where('username', '=', 'anna').execute()).toHaveLength(1)
  expect(await register(app, anna)).toMatchObject(refused('register.username_taken'))
  expect(await app.audit()).toEqual([])
})

test('fields that are not part of a registration are refused, so that nobody registers as root', async () => {
  const app = await testApp()
  for (const extra of [{ role: 100 }, { quota: 1_000_000 }, { group: 'vip' }, { status: 1 }]) {
    expect(await register(app, { ...anna, ...extra })).toMatchObject({ status: 400, success: false })
  }
  expect(await named(app, 'anna')).toBeUndefined()
})

test('an unverified address is not stored', async () => {
  const app = await testApp()
  await register(app, { ...anna, email: 'anna@example.com', verification_code: '123456' })
  expect((await named(app, 'anna'))?.email).toBeNull()
})

test('with verification on, the code from the mail creates the account [R7.08 R2.69 R2.71]', async () => {
  const { app, mail } = await verifyingApp()
  const missing = refused('register.email_required')
  expect(await register(app, anna)).toMatchObject(missing)
  expect(await register(app, { ...anna, email: 'anna@example.com' })).toMatchObject(missing)

  expect((await requestCode(app, 'Anna@Example.com')).body).toEqual({ success: true, message: '' })
  const received = await mail.waitForMail('anna@example.com')
  expect(received.envelope.from).toBe('noreply@tollgate.test')
  const verification_code = codeIn(received)
  const answer = await register(app, { ...anna, email: 'ANNA@example.com', verification_code })
  expect(answer.success).toBe(true)
  expect((await named(app, 'anna'))?.email).toBe('anna@example.com')
})

test('a mail is in the language of its requester', async () => {
  const { app, mail } = await verifyingApp()
  await app.client({ 'accept-language': 'en' }).get('/api/verification?email=a@example.com')
  expect((await mail.waitForMail('a@example.com')).headers.subject).toBe('[Tollgate] Your verification code')
  await requestCode(app, 'b@example.com')
  expect((await mail.waitForMail('b@example.com')).headers.subject).toBe('【Tollgate】邮箱验证码')
})

test('a code works once', async () => {
  const { app, mail } = await verifyingApp()
  await requestCode(app, 'anna@example.com')
  const proof = { email: 'anna@example.com', verification_code: codeIn(await mail.waitForMail('anna@example.com')) }
  const answers = await Promise.all(['a', 'b', 'c'].map((username) => register(app, { ...anna, username, ...proof })))
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  expect(await register(app, { ...anna, ...proof })).toMatchObject(refused('register.bad_code'))
})

test('a taken name does not use up the code', async () => {
  const { app, mail } = await verifyingApp()
  await makeUser(app, { username: 'anna' })
  await requestCode(app, 'anna@example.com')
  const proof = { email: 'anna@example.com', verification_code: codeIn(await mail.waitForMail('anna@example.com')) }
  expect(await register(app, { ...anna, ...proof })).toMatchObject(refused('register.username_taken'))
  expect((await register(app, { ...anna, username: 'anna2', ...proof })).success).toBe(true)
})

test('after five wrong attempts even the right code is refused, also if they are concurrent', async () => {
  const { app, mail } = await verifyingApp()
  await requestCode(app, 'anna@example.com')
  const right = codeIn(await mail.waitForMail('anna@example.com'))
  const wrong = right === '000000' ? '111111' : '000000'
  const attempt = (verification_code: string) =>
    register(app, { ...anna, email: 'anna@example.com', verification_code })
  const answers = await Promise.all(Array.from({ length: 5 }, () => attempt(wrong)))
  for (const answer of answers) expect(answer).toMatchObject(refused('register.bad_code'))
  expect(await attempt(right)).toMatchObject(refused('register.bad_code'))

  app.clock.pass(30)
  await requestCode(app, 'anna@example.com')
  expect((await attempt(codeIn(await mail.waitForMail('anna@example.com')))).success).toBe(true)
})

test('a code is valid for ten minutes', async () => {
  const { app, mail } = await verifyingApp()
  await requestCode(app, 'anna@example.com')
  await requestCode(app, 'bert@example.com')
  const codeOf = async (email: string) => ({ email, verification_code: codeIn(await mail.waitForMail(email)) })
  const [early, late] = [await codeOf('anna@example.com'), await codeOf('bert@example.com')]
  app.clock.pass(599)
  expect((await register(app, { ...anna, ...early })).success).toBe(true)
  app.clock.pass(1)
  expect(await register(app, { ...anna, username: 'bert', ...late })).toMatchObject(refused('register.bad_code'))
})

test('a code belongs to one address, and a later one replaces it', async () => {
  const { app, mail } = await verifyingApp()
  await requestCode(app, 'anna@example.com')
  const verification_code = codeIn(await mail.waitForMail('anna@example.com'))
  const elsewhere = await register(app, { ...anna, email: 'bert@example.com', verification_code })
  expect(elsewhere).toMatchObject(refused('register.bad_code'))
  app.clock.pass(30)
  await requestCode(app, 'anna@example.com')
  const newer = codeIn(await mail.waitForMail('anna@example.com'))
  if (newer !== verification_code) {
    const replaced = await register(app, { ...anna, email: 'anna@example.com', verification_code })
    expect(replaced).toMatchObject(refused('register.bad_code'))
  }
  const answer = await register(app, { ...anna, email: 'anna@example.com', verification_code: newer })
  expect(answer.success).toBe(true)
})

test('if domains are restricted, others get no code and no account [R2.70]', async () => {
  const { app, mail } = await verifyingApp()
  await setOptions(app, {
    EmailDomainWhitelist: 'example.com, corp.example.org',
    EmailDomainRestrictionEnabled: true,
  })
  for (const email of ['a@gmail.com', 'a@notexample.com', 'a@sub.example.com', 'a@example.com.evil.net']) {
    expect(await requestCode(app, email)).toMatchObject(refused('register.email_domain'))
    const answer = await register(app, { ...anna, email, verification_code: '123456' })
    expect(answer).toMatchObject(refused('register.email_domain'))
  }
  expect(mail.received).toEqual([])
  expect((await requestCode(app, 'a@CORP.example.org')).success).toBe(true)
  expect(codeIn(await mail.waitForMail('a@corp.example.org'))).toHaveLength(6)
})

test('a taken address gets the same answer as a free one; its owner gets another mail', async () => {
  const { app, mail } = await verifyingApp()
  await makeUser(app, { email: 'taken@example.com' })
  const gone = await makeUser(app, { email: 'gone@example.com' })
  await gone.client.delete('/api/user/self')
  const free = await requestCode(app, 'free@example.com')
  for (const email of ['taken@example.com', 'gone@example.com']) {
    const taken = await requestCode(app, email)
    expect({ status: taken.status, body: taken.body }).toEqual({ status: free.status, body: free.body })
    const received = await mail.waitForMail(email)
    expect(received.headers.subject).toBe('【Tollgate】该邮箱已注册')
    expect(codeIn(received)).toBe('')
  }
})

test('an address that somebody else has bound meanwhile creates no second account', async () => {
  const { app, mail } = await verifyingApp()
  await requestCode(app, 'anna@example.com')
  const verification_code = codeIn(await mail.waitForMail('anna@example.com'))
  // Another account binds the address between the mail and the registration.
  const { id } = await makeUser(app)
  await app.db.updateTable('users').set({ email: 'anna@example.com' }).where('id', '=', id).execute()
  const answer = await register(app, { ...anna, email: 'anna@example.com', verification_code })
  expect(answer).toMatchObject(refused('register.email_taken'))
  expect(await named(app, 'anna')).toBeUndefined()
})

test('an invite code credits both sides their bonus, once, in the ledger and the log [R9.12]', async () => {
  const app = await testApp()
  await setOptions(app, {
    QuotaForNewUser: 1000,
    QuotaForInvitee: 200,
    QuotaForInviter: 30,
    DisplayInCurrencyEnabled: false,
  })
  const inviter = await makeUser(app, { username: 'inviter' })
  const before = (await app.parts.accounts.find(inviter.id))?.quota ?? 0
  const { data: aff_code } = await inviter.client.get('/api/user/aff')
  expect((await register(app, { ...anna, aff_code })).success).toBe(true)

  const invited = await named(app, 'anna')
  expect(invited).toMatchObject({ quota: 1200, inviter_id: inviter.id })
  expect((await app.parts.accounts.find(inviter.id))?.quota).toBe(before + 30)
  const postings = await app.db
    .selectFrom('ledger')
    .select(['kind', 'ref', 'user_id', 'delta', 'balance'])
    .where('ref', 'like', `%:${invited?.id}`)
    .orderBy('id')
    .execute()
  expect(postings).toEqual([
    { kind: 'bonus', ref: `signup:${invited?.id}`, user_id: invited?.id ?? 0, delta: 1000, balance: 1000 },
    { kind: 'bonus', ref: `invitee:${invited?.id}`, user_id: invited?.id ?? 0, delta: 200, balance: 1200 },
    { kind: 'bonus', ref: `inviter:${invited?.id}`, user_id: inviter.id, delta: 30, balance: before + 30 },
  ])
  const { data: entries } = await inviter.client.get('/api/log/self/?type=4')
  expect(entries[0]).toMatchObject({ quota: 30, content: '邀请用户赠送 30 点额度' })
  expect(await app.audit()).toEqual([])
})

test('many concurrent uses of one invite code each credit their bonus', async () => {
  const app = await testApp()
  await setOptions(app, { QuotaForInvitee: 200, QuotaForInviter: 30 })
  const inviter = await makeUser(app)
  const { data: aff_code } = await inviter.client.get('/api/user/aff')
  const names = ['a', 'b', 'c', 'd', 'e']
  const answers = await Promise.all(names.map((username) => register(app, { ...anna, username, aff_code })))
  for (const { success } of answers) expect(success).toBe(true)
  expect((await app.parts.accounts.find(inviter.id))?.quota).toBe(150)
  expect(await app.audit()).toEqual([])
})

test('without an invite code there is only the new-user bonus', async () => {
  const app = await testApp()
  await setOptions(app, { QuotaForNewUser: 1000, QuotaForInvitee: 200, QuotaForInviter: 30 })
  expect((await register(app, { ...anna, aff_code: null })).success).toBe(true)
  expect(await named(app, 'anna')).toMatchObject({ quota: 1000, inviter_id: null })
})

test('an unknown invitation, or that of a deleted account, is reported and does not prevent registration', async () => {
  const app = await testApp()
  await setOptions(app, { QuotaForNewUser: 1000, QuotaForInvitee: 200 })
  const gone = await makeUser(app)
  const { data: aff_code } = await gone.client.get('/api/user/aff')
  await gone.client.delete('/api/user/self')
  for (const [position, code] of [aff_code, 'x'.repeat(500)].entries()) {
    const username = `guest${position}`
    const { body } = await register(app, { ...anna, username, aff_code: code })
    expect(body).toEqual({ success: true, message: '', aff_ignored: true })
    expect(await named(app, username)).toMatchObject({ quota: 1000, inviter_id: null })
  }
  const living = await makeUser(app)
  const { data: code } = await living.client.get('/api/user/aff')
  expect((await register(app, { ...anna, aff_code: code })).body).toEqual({ success: true, message: '' })
}, 20_000)

test('one mailbox gets a mail every thirty seconds, and five in a row', async () => {
  const { app } = await verifyingApp()
  for (let round = 0; round < 5; round++) {
    expect((await requestCode(app, 'anna@example.com')).success).toBe(true)
    const tooSoon = await requestCode(app, 'ANNA@example.com')
    expect(tooSoon).toMatchObject(refused('mail.too_often'))
    expect(tooSoon.headers.get('retry-after')).toBe('30')
    app.clock.pass(29)
    expect((await requestCode(app, 'anna@example.com')).status).toBe(429)
    app.clock.pass(1)
  }
  const tooMany = await requestCode(app, 'anna@example.com')
  expect(tooMany.status).toBe(429)
  expect((await requestCode(app, 'bert@example.com')).success).toBe(true)
  app.clock.pass(Number(tooMany.headers.get('retry-after')))
  expect((await requestCode(app, 'anna@example.com')).success).toBe(true)
})

test('a reset mail counts for the same mailbox as a code', async () => {
  const { app } = await verifyingApp()
  await requestCode(app, 'anna@example.com')
  expect((await app.client().get('/api/reset_password?email=anna@example.com')).status).toBe(429)
})

test('an invalid address is refused in the language of the caller', async () => {
  const app = await testApp()
  for (const email of ['', 'anna', 'anna@', 'a@b.com;c@d.com', 'a@b.com\r\nBcc: c@d.com']) {
    const answer = await requestCode(app, email)
    expect(answer).toMatchObject({ status: 200, success: false })
    expect(answer.message).toBe('邮箱地址格式不正确')
  }
  expect((await app.client().get('/api/verification')).success).toBe(false)
})

test('without a mail server, or with an unreachable one, the caller gets an error', async () => {
  const { app, mail } = await verifyingApp()
  await mail.stop()
  expect(await requestCode(app, 'anna@example.com')).toMatchObject(refused('mail.failed'))
  const root = await asRoot(app)
  await root.put('/api/option/', { key: 'SMTPServer', value: '' })
  expect(await requestCode(app, 'bert@example.com')).toMatchObject(refused('mail.not_configured'))
})
