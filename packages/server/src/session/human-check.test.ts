import { expect, onTestFinished, test } from 'bun:test'
import { defaultAddresses } from '../integrations/addresses.ts'
import { testApp } from '../testing/app.ts'
import { withMail } from '../testing/mailbox.ts'
import { asRoot, PASSWORD, setOptions } from '../testing/makers.ts'
import { fakeTurnstile } from '../testing/outside/fake-turnstile.ts'
import { refused } from '../testing/refused.ts'

const anna = { username: 'anna', password: PASSWORD }

async function guardedApp({ secret = 'turnstile-secret' } = {}) {
  const turnstile = fakeTurnstile()
  onTestFinished(() => turnstile.stop())
  const app = await testApp({ outside: { ...defaultAddresses, turnstile: turnstile.url } })
  await setOptions(app, { TurnstileSiteKey: 'site', TurnstileSecretKey: secret, TurnstileCheckEnabled: true })
  return { app, turnstile }
}

test('if the human check is on, registration requires a solved one [R2.69 R2.76]', async () => {
  const { app, turnstile } = await guardedApp()
  const client = app.client()
  expect(await client.post('/api/user/register', anna)).toMatchObject(refused('turnstile.missing'))
  expect(await client.post('/api/user/register?turnstile=', anna)).toMatchObject(refused('turnstile.missing'))
  expect(await client.post('/api/user/register?turnstile=forged', anna)).toMatchObject(refused('turnstile.failed'))
  expect(await app.parts.accounts.findByName('anna')).toBeUndefined()
  const answer = await client.post(`/api/user/register?turnstile=${turnstile.solve()}`, anna)
  expect(answer.success).toBe(true)
  expect(JSON.parse(turnstile.received.at(-1)?.body ?? '')).toMatchObject({ remoteip: '127.0.0.1' })
})

test('one solved check is valid for one call', async () => {
  const { app, turnstile } = await guardedApp()
  const client = app.client()
  const token = turnstile.solve()
  expect((await client.post(`/api/user/register?turnstile=${token}`, anna)).success).toBe(true)
  const again = await client.post(`/api/user/register?turnstile=${token}`, { ...anna, username: 'bert' })
  expect(again).toMatchObject(refused('turnstile.failed'))
  expect(await client.post('/api/user/register', { ...anna, username: 'bert' })).toMatchObject(
    refused('turnstile.missing'),
  )
})

test('mails that anybody can trigger require a solved check too, and are not sent without', async () => {
  const { app, turnstile } = await guardedApp()
  const mail = await withMail(app)
  const client = app.client()
  for (const path of ['/api/verification', '/api/reset_password']) {
    expect(await client.get(`${path}?email=a@example.com`)).toMatchObject(refused('turnstile.missing'))
    expect(await client.get(`${path}?email=a@example.com&turnstile=forged`)).toMatchObject(refused('turnstile.failed'))
  }
  expect(mail.received).toEqual([])
  const answer = await client.get(`/api/verification?email=a@example.com&turnstile=${turnstile.solve()}`)
  expect(answer.success).toBe(true)
  await mail.waitForMail('a@example.com')
})

test('signing in needs no human check', async () => {
  const { app } = await guardedApp()
  const answer = await app.client().post('/api/user/login', { username: 'root', password: '123456' })
  expect(answer.success).toBe(true)
})

test('a wrong secret, and an unreachable service, let nobody through', async () => {
  const { app, turnstile } = await guardedApp({ secret: 'not-the-secret' })
  const attempt = () => app.client().post(`/api/user/register?turnstile=${turnstile.solve()}`, anna)
  expect(await attempt()).toMatchObject(refused('turnstile.failed'))
  turnstile.stop()
  expect(await attempt()).toMatchObject(refused('outbound.failed'))
  expect(await app.parts.accounts.findByName('anna')).toBeUndefined()
})

test('the human check cannot be enabled without its keys, and an emptied secret blocks instead of allowing', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const switchOn = () => root.put('/api/option/', { key: 'TurnstileCheckEnabled', value: 'true' })
  expect(await switchOn()).toMatchObject(refused('option.needs', { needed: 'TurnstileSiteKey' }))
  await setOptions(app, { TurnstileSiteKey: 'site' })
  expect(await switchOn()).toMatchObject(refused('option.needs', { needed: 'TurnstileSecretKey' }))
  await setOptions(app, { TurnstileSecretKey: 'secret', TurnstileCheckEnabled: true })
  await setOptions(app, { TurnstileSecretKey: '' })
  const answer = await app.client().post('/api/user/register?turnstile=anything', anna)
  expect(answer).toMatchObject(refused('turnstile.failed'))
})
