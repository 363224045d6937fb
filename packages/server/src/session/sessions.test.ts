import { expect, test } from 'bun:test'
import { Role } from '@tollgate/contract'
import { DAY, HOUR } from '../common/time-units.ts'
import { testApp } from '../testing/app.ts'
import { asRoot, makeAdmin, makeUser, PASSWORD, signedIn } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

test('a session ends after seven days without a call', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  app.clock.pass(7 * DAY - 1)
  expect((await client.get('/api/user/self')).status).toBe(200)
  app.clock.pass(7 * DAY - 1)
  expect((await client.get('/api/user/self')).status).toBe(200)
  app.clock.pass(7 * DAY + 1)
  expect(await client.get('/api/user/self')).toMatchObject(refused('session.missing'))
})

test('the session of an administrator ends after twelve hours without a call', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  app.clock.pass(12 * HOUR - 1)
  expect((await client.get('/api/user/')).status).toBe(200)
  app.clock.pass(12 * HOUR + 1)
  expect(await client.get('/api/user/')).toMatchObject(refused('session.missing'))
})

test('a session ends thirty days after the login, however much it is used', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  for (let day = 5; day <= 30; day += 5) {
    app.clock.pass(5 * DAY)
    expect((await client.get('/api/user/self')).status).toBe(200)
  }
  app.clock.pass(1)
  expect(await client.get('/api/user/self')).toMatchObject(refused('session.missing'))
})

test('cleanup removes ended sessions and keeps the others', async () => {
  const app = await testApp()
  await makeUser(app)
  app.clock.pass(7 * DAY + 1)
  const { client } = await makeUser(app)
  for (const job of app.parts.jobs) if (job.name === 'housekeeping') await job.run()
  expect(await app.db.selectFrom('sessions').select('id_hash').execute()).toHaveLength(1)
  expect((await client.get('/api/user/self')).status).toBe(200)
})

test('the database does not contain the value of a cookie or an access token', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app)
  const { data: accessToken } = await client.get('/api/user/token')
  const sessions = await app.db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()
  expect(JSON.stringify(sessions)).not.toContain(client.cookies.get('session') ?? 'no cookie')
  const user = await app.parts.accounts.find(id)
  expect(JSON.stringify(user)).not.toContain(accessToken)
})

test('an invented cookie is anonymous', async () => {
  const app = await testApp()
  for (const cookie of ['session=', 'session=1', `session=${'0'.repeat(64)}`, 'session', '=', 'session=a=b; session']) {
    expect(await app.client().get('/api/user/self', { cookie })).toMatchObject(refused('session.missing'))
  }
})

test('role and status are checked at each call [R6.07]', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app)
  expect(await client.get('/api/user/')).toMatchObject(refused('session.forbidden'))
  await app.db.updateTable('users').set({ role: Role.admin }).where('id', '=', id).execute()
  expect((await client.get('/api/user/')).success).toBe(true)
  await app.db.updateTable('users').set({ role: Role.user }).where('id', '=', id).execute()
  expect(await client.get('/api/user/')).toMatchObject(refused('session.forbidden'))
})

test('a ban, a demotion and a deletion take effect with the next call', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  for (const action of ['disable', 'demote', 'delete']) {
    const { client, username } = await makeAdmin(app)
    const { data: accessToken } = await client.get('/api/user/token')
    const program = app.client({ authorization: accessToken })
    expect((await client.get('/api/user/')).success).toBe(true)
    expect((await program.get('/api/user/')).success).toBe(true)
    expect((await root.post('/api/user/manage', { username, action })).success).toBe(true)
    expect(await client.get('/api/user/')).toMatchObject(refused('session.missing'))
    expect(await program.get('/api/user/')).toMatchObject(refused('session.bad_access_token'))
  }
})

test('enabling a banned account restores none of its sessions', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { client, username } = await makeUser(app)
  await root.post('/api/user/manage', { username, action: 'disable' })
  await root.post('/api/user/manage', { username, action: 'enable' })
  expect(await client.get('/api/user/self')).toMatchObject(refused('session.missing'))
  expect((await app.client().post('/api/user/login', { username, password: PASSWORD })).success).toBe(true)
})

test('changing one’s own password keeps the current session and ends all others', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app)
  const elsewhere = await signedIn(app, id)
  const { data: accessToken } = await client.get('/api/user/token')
  expect((await client.put('/api/user/self', { password: 'another password' })).success).toBe(true)
  expect((await client.get('/api/user/self')).status).toBe(200)
  expect(await elsewhere.get('/api/user/self')).toMatchObject(refused('session.missing'))
  const program = app.client({ authorization: accessToken })
  expect(await program.get('/api/user/self')).toMatchObject(refused('session.bad_access_token'))
})

test('changing one’s own name keeps every session', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app)
  const elsewhere = await signedIn(app, id)
  await client.put('/api/user/self', { username: 'renamed', password: '' })
  expect((await elsewhere.get('/api/user/self')).data.username).toBe('renamed')
})

test('a password set by an administrator ends every session of the account', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { client, id } = await makeUser(app)
  await root.put('/api/user/', { id, password: 'another password' })
  expect(await client.get('/api/user/self')).toMatchObject(refused('session.missing'))
})

test('an access token works with and without Bearer, and opens no session [R7.20]', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app)
  const { data: accessToken } = await client.get('/api/user/token')
  expect(accessToken).toMatch(/^at-[0-9A-Za-z]{48}$/)
  for (const authorization of [accessToken, `Bearer ${accessToken}`, `bearer  ${accessToken} `]) {
    const answer = await app.client({ authorization }).get('/api/user/self')
    expect(answer).toMatchObject({ status: 200, data: { id } })
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect(await app.db.selectFrom('sessions').select('id_hash').execute()).toHaveLength(1)
})

test('an invalid access token is refused as such', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data: tokens } = await client.get('/api/token/')
  const wrong = ['Bearer', 'Bearer at-unknown', `Bearer sk-${tokens[0].key}`, tokens[0].key, 'Basic cm9vdDoxMjM0NTY=']
  for (const authorization of wrong) {
    const answer = await app.client({ authorization }).get('/api/user/self')
    expect(answer).toMatchObject(refused('session.bad_access_token'))
  }
  // A public endpoint still answers.
  expect((await app.client({ authorization: 'Bearer at-unknown' }).get('/api/status')).success).toBe(true)
})

test('a cookie takes precedence over an access token', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const other = await makeUser(app)
  const { data: accessToken } = await client.get('/api/user/token')
  const answer = await other.client.get('/api/user/self', { authorization: accessToken })
  expect(answer.data.id).toBe(other.id)
})

test('a new access token ends the old one', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data: first } = await client.get('/api/user/token')
  const { data: second } = await client.get('/api/user/token')
  const withOld = await app.client({ authorization: first }).get('/api/user/self')
  expect(withOld).toMatchObject(refused('session.bad_access_token'))
  expect((await app.client({ authorization: second }).get('/api/user/self')).success).toBe(true)
})

test('with an access token nobody can change the password or make another token', async () => {
  const app = await testApp()
  const { client, username } = await makeUser(app)
  const { data: accessToken } = await client.get('/api/user/token')
  const program = app.client({ authorization: accessToken })
  const attempt = await program.put('/api/user/self', { display_name: 'x', password: 'another password' })
  expect(attempt).toMatchObject(refused('session.interactive_only'))
  expect(await program.get('/api/user/token')).toMatchObject(refused('session.interactive_only'))
  expect((await program.put('/api/user/self', { display_name: 'Anna', password: '' })).success).toBe(true)
  expect((await app.client().post('/api/user/login', { username, password: PASSWORD })).success).toBe(true)
})

test('nor can root change its own password with an access token through the user list', async () => {
  const app = await testApp()
  const { data: accessToken } = await (await asRoot(app)).get('/api/user/token')
  const program = app.client({ authorization: accessToken })
  const own = await program.put('/api/user/', { id: 1, password: 'another password' })
  expect(own).toMatchObject(refused('session.interactive_only'))
  const { id } = await makeUser(app)
  expect((await program.put('/api/user/', { id, password: 'another password' })).success).toBe(true)
})
