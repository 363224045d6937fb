import { afterAll, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { createTransport } from 'nodemailer'
import { selfSigned } from '../testing/outside/certificate.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { type SmtpOptions, smtpServer } from '../testing/outside/smtp-server.ts'
import { createCheckedHosts } from '../upstream/checked-hosts.ts'
import { createMailer, type MailSettings } from './mail.ts'
import { connectionTo } from './mail-connection.ts'

const stops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

const certificate = selfSigned('mail.test')
const login = { account: 'gateway@mail.test', token: 'smtp-secret' }
const message = { to: 'person@example.com', subject: '【Tollgate】验证码', html: '<p>你好</p>', text: '你好' }

/** A running server, the settings an operator would enter for it, and a mailer that resolves that name to it. */
async function mailServer(options: SmtpOptions = {}, change: Partial<MailSettings> = {}) {
  const server = await smtpServer(options)
  stops.push(server.stop)
  const settings: MailSettings = {
    server: 'mail.test',
    port: server.port,
    account: options.account ?? '',
    token: options.token ?? '',
    from: 'noreply@mail.test',
    senderName: 'Tollgate',
    ...change,
  }
  const mailer = createMailer({
    hosts: createCheckedHosts({ resolve: async () => ['127.0.0.1'] }),
    ca: certificate.cert,
    ...(options.tls === 'implicit' && { implicitTlsPort: server.port }),
  })
  return { server, settings, mailer }
}

test('a mail arrives with its sender, subject and both bodies', async () => {
  const { server, settings, mailer } = await mailServer({}, { senderName: '通行网关' })
  await mailer.send(settings, message)
  const mail = await server.waitForMail('person@example.com')
  expect(mail.envelope).toEqual({ from: 'noreply@mail.test', to: ['person@example.com'] })
  expect(mail.headers).toMatchObject({
    from: '通行网关 <noreply@mail.test>',
    to: 'person@example.com',
    subject: '【Tollgate】验证码',
  })
  expect(mail.headers['message-id']).toMatch(/@mail\.test>$/)
  expect(mail.headers.date).toBeString()
  expect(mail).toMatchObject({ html: '<p>你好</p>', text: '你好' })
})

test('a long mail keeps every character', async () => {
  const { server, settings, mailer } = await mailServer()
  const text = Array.from({ length: 200 }, (_, line) => `第 ${line} 行 = 100% “引号” .\n.\n`).join('')
  const subject = '额度提醒'.repeat(40)
  await mailer.send(settings, { ...message, subject, text, html: `<pre>${text}</pre>` })
  const mail = await server.waitForMail(message.to)
  expect(mail.headers.subject).toBe(subject)
  expect(mail.text.replaceAll('\r\n', '\n').trimEnd()).toBe(text.trimEnd())
})

test('the account is the sender if no other is set', async () => {
  const { server, settings, mailer } = await mailServer(login, { from: '' })
  await mailer.send(settings, message)
  expect(await server.waitForMail(message.to)).toMatchObject({ envelope: { from: login.account }, user: login.account })
})

test('STARTTLS is used if it is offered, before the login', async () => {
  const { server, settings, mailer } = await mailServer({ ...login, tls: 'starttls', certificate })
  await mailer.send(settings, message)
  expect(await server.waitForMail(message.to)).toMatchObject({ secure: true, user: login.account })
})

test('the port for implicit TLS is encrypted from the first byte', async () => {
  const { server, settings, mailer } = await mailServer({ ...login, tls: 'implicit', certificate })
  await mailer.send(settings, message)
  expect(await server.waitForMail(message.to)).toMatchObject({ secure: true, user: login.account })
})

test('a login is sent over a network only inside TLS; locally and without a login STARTTLS may be missing', () => {
  const settings = { server: 'mail.test', port: 587, ...login, from: '', senderName: '' }
  const trust = { ca: undefined, implicitTlsPort: 465 }
  for (const address of ['8.8.8.8', '10.0.0.1', 'fd12::1'])
    expect(connectionTo(address, settings, trust)).toMatchObject({ requireTLS: true, secure: false })
  for (const address of ['127.0.0.1', '::1'])
    expect(connectionTo(address, settings, trust)).toMatchObject({ requireTLS: false })
  expect(connectionTo('10.0.0.1', { ...settings, account: '', token: '' }, trust)).toMatchObject({ requireTLS: false })
  expect(connectionTo('10.0.0.1', { ...settings, port: 465 }, trust)).toMatchObject({ secure: true })
})

test('a server on a network that offers no STARTTLS gets no login', async () => {
  const { server, settings } = await mailServer(login)
  const elsewhere = connectionTo('10.0.0.1', settings, { ca: undefined, implicitTlsPort: 465 })
  const transport = createTransport({ ...elsewhere, host: '127.0.0.1' }) // the same conditions, on a port where a test can listen
  await expect(transport.sendMail({ from: login.account, to: message.to, text: 'x' })).rejects.toThrow()
  expect(server.logins).toEqual([])
})

for (const tls of ['starttls', 'implicit'] as const) {
  test(`a certificate for another name is refused (${tls})`, async () => {
    const { server, settings, mailer } = await mailServer({ ...login, tls, certificate })
    const work = mailer.send({ ...settings, server: 'other.test' }, message)
    expect(await refusal(work)).toMatchObject({ code: 'mail.failed' })
    expect(server.received).toHaveLength(0)
  })

  test(`an untrusted certificate is refused, whatever the environment says (${tls})`, async () => {
    const stranger = selfSigned('mail.test')
    const { server, settings, mailer } = await mailServer({ ...login, tls, certificate: stranger })
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await refusal(mailer.send(settings, message))).toMatchObject({ code: 'mail.failed' })
      expect(server.received).toHaveLength(0)
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
  })

  test(`a server named by its address must have a certificate for that address (${tls})`, async () => {
    const local = selfSigned('127.0.0.1')
    const { server, settings } = await mailServer({ ...login, tls, certificate: local }, { server: '127.0.0.1' })
    const port = tls === 'implicit' ? { implicitTlsPort: server.port } : {}
    await createMailer({ ca: local.cert, ...port }).send(settings, message)
    expect(await server.waitForMail(message.to)).toMatchObject({ secure: true })

    const named = await mailServer({ ...login, tls, certificate }, { server: '127.0.0.1' })
    expect(await refusal(named.mailer.send(named.settings, message))).toMatchObject({ code: 'mail.failed' })
    expect(named.server.received).toHaveLength(0)
  })
}

test('a server that offers STARTTLS but fails it gets no mail in clear text', async () => {
  const { server, settings, mailer } = await mailServer({ tls: 'starttls', certificate: selfSigned('wrong.test') })
  expect(await refusal(mailer.send(settings, message))).toMatchObject({ code: 'mail.failed' })
  expect(server.received).toHaveLength(0)
})

test.each([
  'a@example.com,b@example.com',
  'a@example.com;b@example.com',
  'a@example.com b@example.com',
  'a@example.com\r\nBcc: b@example.com',
  'a@example.com\nRCPT TO:<b@example.com>',
  'Person <a@example.com>',
  '"a b"@example.com',
  'group:a@example.com',
  'a@b@example.com',
  'nobody',
  '',
])('%p is not one recipient', async (to) => {
  const { server, settings, mailer } = await mailServer()
  expect(await refusal(mailer.send(settings, { ...message, to }))).toMatchObject({
    code: 'mail.failed',
    cause: `mail.test:${settings.port}: not one e-mail address`,
  })
  expect(await refusal(mailer.send({ ...settings, from: `${to},` }, message))).toMatchObject({ code: 'mail.failed' })
  expect(server.received).toHaveLength(0)
})

test('line breaks in the subject or the sender’s name cannot create a header', async () => {
  const injection = 'Hello\r\nBcc: victim@example.com\r\n\r\nbody\u2028X-Evil: 1'
  const { server, settings, mailer } = await mailServer({}, { senderName: `Gate" <x@evil.test>, ${injection}` })
  await mailer.send(settings, { ...message, subject: injection })
  const mail = await server.waitForMail(message.to)
  expect(mail.headers).toMatchObject({ subject: 'Hello Bcc: victim@example.com body X-Evil: 1' })
  expect(mail.headers).not.toHaveProperty('bcc')
  expect(mail.headers).not.toHaveProperty('x-evil')
  expect(mail.headers.from).toEndWith('<noreply@mail.test>')
  expect(mail.envelope).toEqual({ from: 'noreply@mail.test', to: [message.to] })
})

test('a wrong password is a failure, and the error does not repeat it', async () => {
  const { settings, mailer } = await mailServer(login)
  expect(await refusal(mailer.send({ ...settings, token: 'wrong-secret' }, message))).toMatchObject({
    code: 'mail.failed',
    cause: `mail.test:${settings.port}: EAUTH 535`,
  })
})

test('a server that is down, silent, or at a forbidden address is a failure', async () => {
  const { settings, mailer } = await mailServer()
  expect(await refusal(mailer.send({ ...settings, port: 1 }, message))).toMatchObject({
    cause: expect.stringContaining('mail.test:1: E'),
  })
  expect(await refusal(createMailer().send({ ...settings, server: '169.254.169.254' }, message))).toMatchObject({
    code: 'mail.failed',
    cause: expect.stringContaining('169.254.169.254 leads to a closed address'),
  })

  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  const address = silent.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const impatient = createMailer({ timeoutMs: 50 })
  expect(await refusal(impatient.send({ ...settings, server: '127.0.0.1', port }, message))).toMatchObject({
    cause: `127.0.0.1:${port}: ETIMEDOUT`,
  })
  silent.close()
})
