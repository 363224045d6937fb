import { expect, test } from 'bun:test'
import { UserStatus } from '@tollgate/contract'
import { testApp } from '../testing/app.ts'
import { asRoot, makeAdmin, makeUser, PASSWORD } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

test('users read their own account, with what only its owner may know [R7.14 R1.06]', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app, { username: 'anna', quota: 5 })
  const { data } = await client.get('/api/user/self')
  expect(data).toMatchObject({
    id,
    username: 'anna',
    quota: 5,
    used_quota: 0,
    request_count: 0,
    group: 'default',
    default_password: false,
    external_login: false,
  })
  expect(Object.keys(data)).not.toContain('password')
  expect(await app.client().get('/api/user/self')).toMatchObject(refused('session.missing'))
})

test('users change their own names and password; blank fields stay [R7.17]', async () => {
  const app = await testApp()
  const { client } = await makeUser(app, { username: 'anna' })
  const blank = await client.put('/api/user/self', { username: '', display_name: '', password: '' })
  expect(blank.data).toMatchObject({ username: 'anna', display_name: 'anna' })
  const answer = await client.put('/api/user/self', {
    username: 'bert',
    display_name: 'Bert',
    password: 'another password',
  })
  expect(answer.data).toMatchObject({ username: 'bert', display_name: 'Bert' })
  const login = (username: string, password: string) => app.client().post('/api/user/login', { username, password })
  expect((await login('bert', 'another password')).success).toBe(true)
  expect((await login('bert', PASSWORD)).success).toBe(false)
})

test('nobody can change anything else of their own account', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app, { email: 'anna@example.com', quota: 5 })
  const before = await app.parts.accounts.find(id)
  const { data: shown } = await client.get('/api/user/self')
  const answer = await client.put('/api/user/self', {
    ...shown,
    id: 1,
    role: 100,
    status: 2,
    group: 'svip',
    quota: 1_000_000,
    used_quota: -5,
    email: 'evil@example.com',
    github_id: '1',
    inviter_id: 1,
    external_login: true,
  })
  expect(answer.success).toBe(true)
  expect(await app.parts.accounts.find(id)).toEqual(before)
  expect((await client.put('/api/user/self', { held: 5 })).status).toBe(400)
})

test('a taken name, a name that became too long and a weak password are refused', async () => {
  const app = await testApp()
  await makeUser(app, { username: 'taken' })
  const { client } = await makeUser(app, { username: 'annaanna' })
  const edit = (fields: object) => client.put('/api/user/self', fields)
  expect(await edit({ username: 'taken' })).toMatchObject(refused('register.username_taken'))
  expect(await edit({ username: 'thirteen-long' })).toMatchObject(refused('user.name_too_long', { max: 12 }))
  expect(await edit({ password: 'AnnaAnna' })).toMatchObject(refused('user.password_is_name'))
  expect((await edit({ password: 'short' })).success).toBe(false)
  expect((await client.get('/api/user/self')).data.username).toBe('annaanna')
  expect((await app.client().post('/api/user/login', { username: 'annaanna', password: PASSWORD })).success).toBe(true)
})

test('users can delete their own account; root cannot [R7.18 R6.06]', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app, { username: 'anna', quota: 5 })
  expect((await client.delete('/api/user/self')).body).toEqual({ success: true, message: '' })
  expect(await client.get('/api/user/self')).toMatchObject(refused('session.missing'))
  const login = await app.client().post('/api/user/login', { username: 'anna', password: PASSWORD })
  expect(login).toMatchObject(refused('session.bad_credentials'))
  const row = await app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ status: UserStatus.deleted, quota: 5 })

  const admin = await makeAdmin(app)
  expect((await admin.client.delete('/api/user/self')).success).toBe(true)
  const root = await asRoot(app)
  expect(await root.delete('/api/user/self')).toMatchObject(refused('user.root_protected'))
  expect((await root.get('/api/user/self')).status).toBe(200)
  expect(await app.audit()).toEqual([])
})

test('every user has an invite code, and it stays the same [R7.21 R6.06]', async () => {
  const app = await testApp()
  const one = await makeUser(app)
  const other = await makeUser(app)
  const codeOf = async ({ client }: typeof one) => (await client.get('/api/user/aff')).data
  const code = await codeOf(one)
  expect(code).toMatch(/^[0-9A-Za-z]{8}$/)
  expect(await codeOf(one)).toBe(code)
  expect(await codeOf(other)).not.toBe(code)
})

test('callable models are those that an enabled channel offers to the user’s groups, sorted [R7.22]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const channel = (fields: object) =>
    root.post('/api/channel/', { type: 1, name: 'c', key: 'sk-x', models: 'gpt-4o', group: 'default', ...fields })
  await channel({ models: 'gpt-4o,claude' })
  await channel({ models: 'vip-model', group: 'vip' })
  await channel({ models: 'off-model' })
  const { data: channels } = await root.get('/api/channel/')
  await root.put('/api/channel/', { id: channels[0].id, status: 2 })
  const { client } = await makeUser(app)
  expect((await client.get('/api/user/available_models')).data).toEqual(['claude', 'gpt-4o'])
  const vip = await makeUser(app, { group: 'vip,default' })
  expect((await vip.client.get('/api/user/available_models')).data).toEqual(['claude', 'gpt-4o', 'vip-model'])
})

test.each(['admin', 'root'] as const)(
  'allowing another sign-in method requires a session and the password again: %s',
  async (role) => {
    const app = await testApp()
    const { client, password } =
      role === 'root'
        ? { client: await asRoot(app), password: '123456' }
        : { client: (await makeAdmin(app)).client, password: PASSWORD }
    const { data: accessToken } = await client.get('/api/user/token')
    const program = app.client({ authorization: accessToken })
    const isOpen = async () => (await client.get('/api/user/self')).data.external_login
    const open = { external_login: true, current_password: password }

    expect(await program.put('/api/user/self', open)).toMatchObject(refused('session.interactive_only'))
    expect(await client.put('/api/user/self', { external_login: true })).toMatchObject(refused('user.password_needed'))
    const guess = { ...open, current_password: 'a wrong one' }
    expect(await client.put('/api/user/self', guess)).toMatchObject(refused('user.wrong_password'))
    expect(await isOpen()).toBe(false)
    expect((await client.put('/api/user/self', open)).data.external_login).toBe(true)

    // Older clients send back everything they received.
    const { data: shown } = await client.get('/api/user/self')
    expect((await program.put('/api/user/self', { ...shown, display_name: 'New' })).data.display_name).toBe('New')
    const close = { external_login: false }
    expect(await program.put('/api/user/self', close)).toMatchObject(refused('session.interactive_only'))
    expect((await client.put('/api/user/self', close)).data.external_login).toBe(false)
  },
)

test('a session cannot be used to guess the password', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const guess = { external_login: true, current_password: 'wrong' }
  for (let round = 0; round < 10; round++) expect((await root.put('/api/user/self', guess)).status).toBe(200)
  const right = { ...guess, current_password: '123456' }
  expect(await root.put('/api/user/self', right)).toMatchObject(refused('http.too_many'))
  expect((await app.client().post('/api/user/login', { username: 'root', password: '123456' })).success).toBe(true)
}, 30_000)
