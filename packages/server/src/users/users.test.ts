import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { asRoot, makeAdmin, makeUser, PASSWORD, setOptions } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)

test('the list shows ten users per page, newest first, and the total [R7.11 R4.26 R9.04]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  for (let count = 0; count < 12; count++) await makeUser(app)
  const first = await root.get('/api/user/?p=0')
  expect(first.headers.get('x-total-count')).toBe('13')
  expect(ids(first.data)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4])
  expect(ids((await root.get('/api/user/?p=1')).data)).toEqual([3, 2, 1])
  expect((await root.get('/api/user/?p=2')).data).toEqual([])
  for (const page of ['', '?p=-1', '?p=x', '?p=0&order=password', '?p=0&order=']) {
    expect(ids((await root.get(`/api/user/${page}`)).data)[0]).toBe(13)
  }
})

test('the list is sorted by quota, used quota or number of calls, largest first [R7.11]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const poor = await makeUser(app, { quota: 10 })
  const rich = await makeUser(app, { quota: 30 })
  const middle = await makeUser(app, { quota: 20 })
  await app.db.updateTable('users').set({ used_quota: 5, request_count: 1 }).where('id', '=', poor.id).execute()
  await app.db.updateTable('users').set({ used_quota: 1, request_count: 5 }).where('id', '=', middle.id).execute()
  const listed = async (order: string) => ids((await root.get(`/api/user/?order=${order}`)).data)
  expect(await listed('quota')).toEqual([1, rich.id, middle.id, poor.id])
  expect(await listed('used_quota')).toEqual([poor.id, middle.id, rich.id, 1])
  expect(await listed('request_count')).toEqual([middle.id, poor.id, rich.id, 1])
})

test('the list and its search are narrowed down by group, role and status; invalid values are refused', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const vip = await makeUser(app, { username: 'vip', group: 'vip,default' })
  const svip = await makeUser(app, { username: 'svip', group: 'svip' })
  const plain = await makeUser(app, { username: 'plain' })
  const admin = await makeAdmin(app, { username: 'admin', group: 'staff' })
  await app.db.updateTable('users').set({ group: '' }).where('id', '=', plain.id).execute()
  await root.post('/api/user/manage', { username: 'svip', action: 'disable' })
  const listed = async (query: string) => ids((await root.get(`/api/user/${query}`)).data)
  expect(await listed('?group=vip')).toEqual([vip.id])
  expect(await listed('?group=default')).toEqual([plain.id, vip.id, 1])
  expect(await listed('?group=VIP')).toEqual([])
  expect(await listed('?role=10')).toEqual([admin.id])
  expect(await listed('?status=2')).toEqual([svip.id])
  expect(await listed('?role=1&status=1&order=quota')).toEqual([plain.id, vip.id])
  expect(await listed('search?keyword=vip&status=1')).toEqual([vip.id])
  expect(await listed('?group=&role=0&status=0')).toHaveLength(5)
  for (const query of ['?role=x', '?status=3', '?status=-1', `?group=${'g'.repeat(300)}`]) {
    expect(await root.get(`/api/user/${query}`)).toMatchObject({ success: false })
  }
})

test('a user has exactly these fields, and no secret among them [R3.01 R3.02]', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app, { username: 'anna', email: 'anna@example.com', quota: 7 })
  const { data: accessToken } = await client.get('/api/user/token')
  const root = await asRoot(app)
  const answers = [
    (await root.get('/api/user/')).data[0],
    (await root.get('/api/user/search?keyword=anna')).data[0],
    (await root.get(`/api/user/${id}`)).data,
    (await root.put('/api/user/', { id, display_name: 'anna' })).data,
  ]
  const { aff_code, created_time } = answers[0]
  for (const user of answers) {
    expect(user).toEqual({
      id,
      username: 'anna',
      display_name: 'anna',
      role: 1,
      status: 1,
      email: 'anna@example.com',
      github_id: '',
      wechat_id: '',
      lark_id: '',
      group: 'default',
      quota: 7,
      rate_limits: {},
      used_quota: 0,
      request_count: 0,
      aff_code,
      inviter_id: 0,
      created_time,
    })
    expect(JSON.stringify(user)).not.toContain(accessToken)
  }
})

test('a search finds the keyword anywhere in name, address or display name, in any case [R7.12]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const anna = await makeUser(app, { username: 'Hannah', email: 'someone@example.com' })
  const bert = await makeUser(app, { username: 'bert', email: 'x.ANNA.y@example.com' })
  const carl = await makeUser(app, { username: 'carl' })
  await root.put('/api/user/', { id: carl.id, display_name: 'Susanna' })
  await makeUser(app, { username: 'dora' })
  const found = await root.get('/api/user/search?keyword=anNA')
  expect(ids(found.data)).toEqual([carl.id, bert.id, anna.id])
  expect(found.headers.get('x-total-count')).toBe('3')
  expect(ids((await root.get(`/api/user/search?keyword=${anna.id}`)).data)).toContain(anna.id)
  expect((await root.get('/api/user/search?keyword=')).data).toHaveLength(5)
})

test('in a search % and _ and \\ are ordinary characters [R7.12]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const percent = await makeUser(app, { username: '100%' })
  const line = await makeUser(app, { username: 'a_b' })
  const slash = await makeUser(app, { username: 'c\\d' })
  await makeUser(app, { username: 'axb' })
  const found = async (keyword: string) =>
    ids((await root.get(`/api/user/search?keyword=${encodeURIComponent(keyword)}`)).data)
  expect(await found('%')).toEqual([percent.id])
  expect(await found('_')).toEqual([line.id])
  expect(await found('a_b')).toEqual([line.id])
  expect(await found('\\')).toEqual([slash.id])
  expect(await found("' OR 1=1 --")).toEqual([])
  expect((await root.get(`/api/user/search?keyword=${'x'.repeat(65)}`)).success).toBe(false)
})

test('a search is paged and sorted like the list [R7.12]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  for (let count = 0; count < 11; count++) await makeUser(app, { username: `anna${count}`, quota: 100 - count })
  const second = await root.get('/api/user/search?keyword=anna&p=1&order=quota')
  expect(second.headers.get('x-total-count')).toBe('11')
  expect(second.data).toMatchObject([{ username: 'anna10', quota: 90 }])
})

test('deleted users are in no list, no search and no answer', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id, username } = await makeUser(app)
  expect((await root.delete(`/api/user/${id}`)).body).toEqual({ success: true, message: '' })
  expect(ids((await root.get('/api/user/')).data)).toEqual([1])
  expect((await root.get(`/api/user/search?keyword=${username}`)).data).toEqual([])
  expect((await root.get(`/api/user/search?keyword=${id}`)).data).toEqual([])
  expect(await root.get(`/api/user/${id}`)).toMatchObject(refused('user.not_found'))
  expect(await root.put('/api/user/', { id, display_name: 'x' })).toMatchObject(refused('user.not_found'))
  expect(await root.delete(`/api/user/${id}`)).toMatchObject(refused('user.not_found'))
  expect(await root.post('/api/user/manage', { username, action: 'enable' })).toMatchObject(refused('user.not_found'))
  expect(await root.post('/api/topup', { user_id: id, quota: 1 })).toMatchObject(refused('user.not_found'))
})

test('an administrator reads users of lower rank and their own account; root reads everybody [R7.13]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const admin = await makeAdmin(app)
  const colleague = await makeAdmin(app)
  const { id } = await makeUser(app)
  expect((await admin.client.get(`/api/user/${id}`)).data.id).toBe(id)
  expect((await admin.client.get(`/api/user/${admin.id}`)).data.id).toBe(admin.id)
  expect(await admin.client.get(`/api/user/${colleague.id}`)).toMatchObject(refused('user.rank'))
  expect(await admin.client.get('/api/user/1')).toMatchObject(refused('user.rank'))
  expect((await root.get(`/api/user/${admin.id}`)).data.id).toBe(admin.id)
  expect(await root.get('/api/user/9999')).toMatchObject(refused('user.not_found'))
  for (const odd of ['x', '0', '-1', '1.5', '1e400', '99999999999999999999']) {
    expect((await root.get(`/api/user/${odd}`)).success).toBe(false)
  }
})

test('creating a user opens a complete ordinary account [R7.15]', async () => {
  const app = await testApp()
  await setOptions(app, { QuotaForNewUser: 100 })
  const { client: admin } = await makeAdmin(app)
  const answer = await admin.post('/api/user/', { username: 'anna', display_name: 'Anna', password: PASSWORD })
  expect(answer).toMatchObject({
    success: true,
    data: { username: 'anna', display_name: 'Anna', role: 1, status: 1, group: 'default', quota: 100 },
  })
  const client = app.client()
  expect((await client.post('/api/user/login', { username: 'anna', password: PASSWORD })).success).toBe(true)
  expect((await client.get('/api/token/')).data).toHaveLength(1)
  expect((await admin.get('/api/audit')).data[0]).toMatchObject({
    action: 'user.create',
    target: `user:${answer.data.id}`,
    after: { username: 'anna', quota: 100 },
  })
  expect(await app.audit()).toEqual([])
})

test('a new user without a display name is shown by the username, and may start in a group', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { data } = await root.post('/api/user/', { username: 'anna', password: PASSWORD, group: 'vip,default' })
  expect(data).toMatchObject({ display_name: 'anna', group: 'vip,default' })
})

test('creating a user is refused for a taken name, a bad password and fields that are not for this call', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await makeUser(app, { username: 'taken' })
  const attempt = (fields: object) => root.post('/api/user/', { username: 'anna', password: PASSWORD, ...fields })
  expect(await attempt({ username: 'taken' })).toMatchObject(refused('register.username_taken'))
  expect(await attempt({ username: 'annaanna', password: 'AnnaAnna' })).toMatchObject(refused('user.password_is_name'))
  for (const fields of [{ password: 'short' }, { username: 'thirteen-long' }, { username: '' }]) {
    expect(await attempt(fields)).toMatchObject({ status: 200, success: false })
  }
  for (const fields of [{ role: 10 }, { status: 1 }, { id: 5 }, { access_token: 'x' }]) {
    expect(await attempt(fields)).toMatchObject({ status: 400, success: false })
  }
  expect((await root.get('/api/user/')).headers.get('x-total-count')).toBe('2')
})

test('an edit changes the fields it contains; blank or absent ones stay [R7.16 R6.04]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { username: 'anna', group: 'vip', quota: 50 })
  await root.put('/api/user/', { id, display_name: 'Anna' })
  const blank = { id, username: '', display_name: '', password: '', group: '', quota: '' }
  expect((await root.put('/api/user/', blank)).data).toMatchObject({
    username: 'anna',
    display_name: 'Anna',
    group: 'vip',
    quota: 50,
  })
  const full = { id, username: 'bert', display_name: 'Bert', password: 'another password', group: 'svip,vip' }
  expect((await root.put('/api/user/', full)).data).toMatchObject({
    username: 'bert',
    display_name: 'Bert',
    group: 'svip,vip',
    quota: 50,
  })
  const login = await app.client().post('/api/user/login', { username: 'bert', password: 'another password' })
  expect(login.success).toBe(true)
})

test('fields that a form merely sends back have no effect [R3.03]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { email: 'anna@example.com' })
  const before = await app.parts.accounts.find(id)
  const { data: shown } = await root.get(`/api/user/${id}`)
  const answer = await root.put('/api/user/', {
    ...shown,
    email: 'evil@example.com',
    github_id: '1',
    wechat_id: '2',
    lark_id: '3',
    used_quota: 5,
    request_count: 5,
    aff_code: 'mine',
    inviter_id: 1,
    access_token: 'at-known',
    created_time: 1,
    external_login: true,
    default_password: true,
  })
  expect(answer).toMatchObject({ success: true, data: shown })
  expect(await app.parts.accounts.find(id)).toEqual(before)
})

test('an edit with an unknown field, a wrong type or without an id is refused entirely', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { username: 'anna' })
  for (const fields of [{ held: 5 }, { auth_version: 9 }, { quota: '5' }, { role: 'admin' }, { username: 5 }]) {
    expect(await root.put('/api/user/', { id, display_name: 'changed', ...fields })).toMatchObject({ status: 400 })
  }
  expect((await root.put('/api/user/', { display_name: 'changed' })).status).toBe(400)
  expect((await root.get(`/api/user/${id}`)).data.display_name).toBe('anna')
})

test('a taken name, a name that became too long and a password equal to the name are refused', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await makeUser(app, { username: 'taken' })
  const { id } = await makeUser(app, { username: 'anna' })
  const edit = (fields: object) => root.put('/api/user/', { id, ...fields })
  expect(await edit({ username: 'taken' })).toMatchObject(refused('register.username_taken'))
  expect(await edit({ username: 'thirteen-long' })).toMatchObject(refused('user.name_too_long', { max: 12 }))
  expect(await edit({ username: 'annaanna', password: 'ANNAANNA' })).toMatchObject(refused('user.password_is_name'))
  expect((await root.get(`/api/user/${id}`)).data.username).toBe('anna')
  // A long name that the product itself assigned may stay.
  await app.db.updateTable('users').set({ username: 'github_0123456789' }).where('id', '=', id).execute()
  expect((await edit({ username: 'github_0123456789', display_name: 'A' })).success).toBe(true)
})

test('an administrator edits users of lower rank only [R6.07]', async () => {
  const app = await testApp()
  const admin = await makeAdmin(app)
  const colleague = await makeAdmin(app)
  for (const id of [1, colleague.id, admin.id]) {
    expect(await admin.client.put('/api/user/', { id, quota: 5 })).toMatchObject(refused('user.rank'))
    expect(await admin.client.delete(`/api/user/${id}`)).toMatchObject(refused('user.rank'))
  }
})

test('an edit is recorded with before and after, and without the password', async () => {
  const app = await testApp()
  const admin = await makeAdmin(app, { username: 'boss' })
  const { id } = await makeUser(app, { username: 'anna' })
  await admin.client.put('/api/user/', { id, display_name: 'Anna', password: 'another password' })
  const { data } = await admin.client.get(`/api/audit?target=user:${id}`)
  expect(data[0]).toMatchObject({
    actor_id: admin.id,
    actor_name: 'boss',
    action: 'user.update',
    before: { display_name: 'anna', password: null },
    after: { display_name: 'Anna', password: 'changed' },
    ip: '127.0.0.1',
  })
})

test('role and status in an edit follow the rules of user management', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { client: admin } = await makeAdmin(app)
  const { id, client } = await makeUser(app)
  expect(await admin.put('/api/user/', { id, role: 10 })).toMatchObject(refused('user.root_only'))
  expect((await admin.put('/api/user/', { id, role: 1, status: 1 })).success).toBe(true)
  expect((await client.get('/api/user/self')).status).toBe(200) // nothing changed, so no session ended
  expect((await admin.put('/api/user/', { id, status: 2 })).data.status).toBe(2)
  expect(await client.get('/api/user/self')).toMatchObject(refused('session.missing'))
  expect((await root.put('/api/user/', { id, role: 10, status: 1 })).data).toMatchObject({ role: 10, status: 1 })
  expect((await root.put('/api/user/', { id, role: 1 })).data.role).toBe(1)

  for (const role of [0, 5, 99, 100, 101, -1]) {
    expect(await root.put('/api/user/', { id, role })).toMatchObject(refused('user.bad_role'))
  }
  for (const status of [0, 3, 4]) {
    expect(await root.put('/api/user/', { id, status })).toMatchObject(refused('user.bad_status'))
  }
  expect(await root.put('/api/user/', { id: 1, role: 1 })).toMatchObject(refused('user.root_protected'))
  expect(await root.put('/api/user/', { id: 1, status: 2 })).toMatchObject(refused('user.root_protected'))
  expect((await root.get('/api/user/1')).data).toMatchObject({ role: 100, status: 1 })
})

test('an edit that is refused for one field changes none of the others', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const { id } = await makeUser(app, { username: 'anna', quota: 5 })
  const before = await app.parts.accounts.find(id)
  await admin.put('/api/user/', { id, username: 'bert', password: 'another password', quota: 9, role: 10 })
  expect(await app.parts.accounts.find(id)).toEqual(before)
  expect(await app.audit()).toEqual([])
})

test('only administrators and root can use any of this', async () => {
  const app = await testApp()
  const { client, id, username } = await makeUser(app)
  const calls = [
    client.get('/api/user/'),
    client.get('/api/user/search?keyword=a'),
    client.get(`/api/user/${id}`),
    client.post('/api/user/', { username: 'x', password: PASSWORD }),
    client.put('/api/user/', { id, quota: 1_000_000 }),
    client.delete('/api/user/1'),
    client.post('/api/user/manage', { username, action: 'promote' }),
    client.post('/api/topup', { user_id: id, quota: 5 }),
  ]
  for (const answer of await Promise.all(calls)) expect(answer).toMatchObject(refused('session.forbidden'))
  expect((await client.get('/api/user/self')).data).toMatchObject({ role: 1, quota: 0 })
})

test('an edit of a user does not overwrite what somebody else has saved since its form was opened, unless it says so', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { username: 'anna' })
  const opened = (await root.get(`/api/user/${id}`)).data
  const save = (edit: object, base: unknown) => root.put('/api/user/', { id, ...edit, base })
  await root.put('/api/user/', { id, group: 'vip', rate_limits: { rpm: 5 }, quota: 700 })
  expect((await save({ display_name: 'Anna' }, { display_name: opened.display_name })).success).toBe(true)
  const refused = await save(
    { group: 'svip', rate_limits: { rpm: 9 } },
    { group: opened.group, rate_limits: opened.rate_limits },
  )
  expect(refused.body).toMatchObject({
    success: false,
    message:
      '打开表单之后，有人修改了分组（现在是 vip）、速率限制，这次没有保存。您填写的内容仍在表单中，再次保存会覆盖新的值',
    field: 'group',
    changed: { group: 'vip', rate_limits: { rpm: 5 } },
  })
  expect((await save({ group: 'svip', rate_limits: { rpm: 9 } }, refused.body.changed)).data).toMatchObject({
    ...{ group: 'svip', rate_limits: { rpm: 9 } },
  })
  // A balance has its own rule: the difference is applied.
  const spent = await save({ quota: 800, quota_base: 600 }, { quota: 600 })
  expect(spent.data.quota).toBe(900)
})
