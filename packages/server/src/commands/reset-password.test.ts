import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { runCommand, storeOf } from '../testing/command.ts'
import { asRoot, makeUser, PASSWORD, setOptions, withGitHub } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const reset = (app: TestApp, ...words: string[]) => runCommand(['reset-password', ...words], storeOf(app))
const login = (app: TestApp, username: string, password: string) =>
  app.client().post('/api/user/login', { username, password })

test('the command line gives root a new password, which ends its sessions and the default password [R2.77]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { data: accessToken } = await root.get('/api/user/token')
  const { output, exitCode, errors } = await reset(app)
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
  const [, password = ''] = /^New password of root: ([0-9A-Za-z]{20})\n$/.exec(output) ?? []
  expect((await login(app, 'root', password)).data).toMatchObject({ role: 100, default_password: false })
  expect(await login(app, 'root', '123456')).toMatchObject(refused('session.bad_credentials'))
  expect(await root.get('/api/user/self')).toMatchObject(refused('session.missing'))
  const program = app.client({ authorization: accessToken })
  expect(await program.get('/api/user/self')).toMatchObject(refused('session.bad_access_token'))
}, 30_000)

test('the command line resets the password of any existing account', async () => {
  const app = await testApp()
  await makeUser(app, { username: 'anna' })
  const { output } = await reset(app, 'anna')
  expect((await login(app, 'anna', /: (\w{20})\n$/.exec(output)?.[1] ?? '')).success).toBe(true)
  expect((await login(app, 'anna', PASSWORD)).success).toBe(false)
  const unknown = await reset(app, 'nobody')
  expect(unknown).toMatchObject({ output: 'There is no user nobody.\n', exitCode: 1 })
}, 30_000)

test('for root the command line also enables password login again, and records it; for others it does not', async () => {
  const app = await testApp()
  await makeUser(app, { username: 'anna' })
  await withGitHub(app)
  await setOptions(app, { PasswordLoginEnabled: false })
  expect((await reset(app, 'anna')).output).toMatch(/^New password of anna: \w{20}\n$/)
  expect(await login(app, 'root', '123456')).toMatchObject(refused('session.password_login_off'))

  const { output, errors, exitCode } = await reset(app)
  expect({ errors, exitCode }).toEqual({ errors: '', exitCode: 0 })
  const said = /^New password of root: (\w{20})\nSigning in with a password was switched off; it is on again.\n$/.exec(
    output,
  )
  // A running server notices within a second.
  app.clock.pass(2)
  expect((await login(app, 'root', said?.[1] ?? '')).data).toMatchObject({ role: 100 })
  const [event] = await app.db
    .selectFrom('audit_events')
    .select(['actor_name', 'before', 'after'])
    .where('target', '=', 'option:PasswordLoginEnabled')
    .orderBy('id', 'desc')
    .execute()
  expect(event).toEqual({ actor_name: 'tollgate', before: '{"value":"false"}', after: '{"value":"true"}' })
}, 30_000)
