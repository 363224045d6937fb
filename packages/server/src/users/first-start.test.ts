import { expect, test } from 'bun:test'
import { isOutdated } from '../security/passwords.ts'
import { testApp } from '../testing/app.ts'
import { asRoot } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const login = (app: Awaited<ReturnType<typeof testApp>>, username: string, password: string) =>
  app.client().post('/api/user/login', { username, password })

test('the first start creates root with the default password, and warns [R2.33]', async () => {
  const app = await testApp({ firstStart: true })
  const { password } = await app.db.selectFrom('users').select('password').executeTakeFirstOrThrow()
  expect(isOutdated(password)).toBe(false)
  expect((await login(app, 'root', '123456')).data).toEqual({
    id: 1,
    username: 'root',
    display_name: 'Root User',
    role: 100,
    status: 1,
    default_password: true,
  })
  expect(app.lines.join()).toContain('The account root still has the default password')
  expect(await app.audit()).toEqual([])
})

test('ROOT_PASSWORD replaces the default password at the first start [R2.33]', async () => {
  const app = await testApp({ firstStart: true, rootPassword: 'chosen by the operator' })
  expect((await login(app, 'root', 'chosen by the operator')).data.default_password).toBe(false)
  expect(await login(app, 'root', '123456')).toMatchObject(refused('session.bad_credentials'))
  expect(app.lines).toEqual([])
})

test('a new installation tries a failed call on two more channels; an older one keeps what it had', async () => {
  const stored = async (app: Awaited<ReturnType<typeof testApp>>) => {
    const { data } = await (await asRoot(app)).get('/api/option/')
    return data.find(({ key }: { key: string }) => key === 'RetryTimes').value
  }
  const fresh = await testApp({ firstStart: true })
  expect(await stored(fresh)).toBe('2')
  expect(fresh.parts.options.values().RetryTimes).toBe(2)
  await (await asRoot(fresh)).put('/api/option/', { key: 'RetryTimes', value: '0' })
  expect(await stored(await testApp({ location: fresh.location }))).toBe('0')
  // An older installation that never set it.
  const older = await testApp()
  expect(await stored(await testApp({ location: older.location }))).toBe('0')
})

test('a later start creates nothing new and warns again, whatever root’s name is now', async () => {
  const app = await testApp()
  await (await asRoot(app)).put('/api/user/self', { username: 'boss' })
  const second = await testApp({ location: app.location })
  expect(second.lines.join()).toContain('The account boss still has the default password')
  expect(await app.db.selectFrom('users').select('username').execute()).toEqual([{ username: 'boss' }])
})

test('ROOT_PASSWORD at a later start replaces the default password and ends its sessions', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const second = await testApp({ location: app.location, rootPassword: 'chosen by the operator' })
  expect(await root.get('/api/user/self')).toMatchObject(refused('session.missing'))
  expect((await login(second, 'root', 'chosen by the operator')).success).toBe(true)
  expect(second.lines).toEqual([])
})

test('ROOT_PASSWORD never replaces a password that root has chosen', async () => {
  const app = await testApp()
  await (await asRoot(app)).put('/api/user/self', { password: 'chosen by root' })
  const second = await testApp({ location: app.location, rootPassword: 'chosen by the operator' })
  expect((await login(second, 'root', 'chosen by root')).success).toBe(true)
  expect(await login(second, 'root', 'chosen by the operator')).toMatchObject(refused('session.bad_credentials'))
  expect(second.lines).toEqual([])
})
