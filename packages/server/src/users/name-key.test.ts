import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { asRoot, makeAdmin, makeUser, PASSWORD, signedIn } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'
import { fillNameKeys } from './fill-name-keys.ts'
import { nameKey } from './name-key.ts'

/** Names that look like `root`. */
const TWINS = [
  'ROOT',
  'Root',
  'r\u043e\u043et',
  '\u0433oot',
  'ro\u03bft',
  'ｒｏｏｔ',
  'ＲＯＯＴ',
  '𝐫𝐨𝐨𝐭',
  'róot',
  'r\u0323oot',
  'ʀoot',
]

/** Zero-width, bidirectional, tags, fillers, variation selectors, soft hyphens, blanks other than spaces. */
const INVISIBLE = [
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u202e',
  '\u2066',
  '\u{e0041}',
  '\u3164',
  '\u115f',
  '\ufe0f',
  '\u00ad',
  '\u034f',
  '\u2800',
  '\u061c',
  '\ue000',
]

test('names that look alike have the same key, and different names do not', () => {
  for (const twin of TWINS) expect([twin, nameKey(twin)]).toEqual([twin, 'root'])
  expect(nameKey('ВОВ')).toBe(nameKey('bob'))
  expect(nameKey('\u0420\u0430\u0443\u0420\u0430l')).toBe('paypal')
  expect(nameKey('ΗΑΝΝΑ')).toBe('hanna')
  expect(nameKey('a\u3000 b')).toBe('a b')
  const apart = [
    'root1',
    'rootl',
    'rooti',
    'r00t',
    'ro ot',
    '小明',
    '小朋',
    'かき',
    'がき',
    '한글',
    'Иван',
    'Мария',
    'นา',
    'น้า',
  ]
  expect(new Set(apart.map(nameKey)).size).toBe(apart.length)
})

test('nobody registers with a look-alike name, nor with invisible characters', async () => {
  const app = await testApp()
  const register = (username: string) => app.client().post('/api/user/register', { username, password: PASSWORD })
  for (const twin of TWINS) expect(await register(twin)).toMatchObject(refused('register.username_taken'))
  for (const letter of INVISIBLE) {
    for (const name of [`ro${letter}ot`, `new${letter}one`]) {
      expect([name, (await register(name)).success]).toEqual([name, false])
    }
  }
  expect((await register('小明')).success).toBe(true)
  expect((await register('Иван')).success).toBe(true)
})

test.each(['user', 'admin', 'root'] as const)(
  'nobody can create or become a look-alike of an account: %s',
  async (role) => {
    const app = await testApp()
    const { client } =
      role === 'root' ? { client: await asRoot(app) } : await (role === 'admin' ? makeAdmin : makeUser)(app)
    const target = await makeUser(app, { username: 'anna' })
    const bert = await makeUser(app, { username: 'bert' })
    for (const username of ['ANNA', '\u0430nna', 'ａｎｎａ']) {
      expect(await client.put('/api/user/self', { username })).toMatchObject(refused('register.username_taken'))
      if (role === 'user') continue
      const made = await client.post('/api/user/', { username, password: PASSWORD })
      expect(made).toMatchObject(refused('register.username_taken'))
      const changed = await client.put('/api/user/', { id: bert.id, username })
      expect(changed).toMatchObject(refused('register.username_taken'))
    }
    expect(await client.put('/api/user/self', { username: 'a\u200bb' })).toMatchObject(refused('user.name_invisible'))
    // Changing the spelling of one's own name is allowed.
    expect((await target.client.put('/api/user/self', { username: 'Anna' })).data.username).toBe('Anna')
    expect((await app.client().post('/api/user/login', { username: 'Anna', password: PASSWORD })).success).toBe(true)
    expect((await app.client().post('/api/user/login', { username: 'anna', password: PASSWORD })).success).toBe(false)
  },
  30_000,
)

test('existing look-alikes keep working; the oldest blocks a third one', async () => {
  const app = await testApp()
  const made: { id: number }[] = []
  for (const name of ['one', 'two', 'three']) made.push(await makeUser(app, { username: name }))
  const names = ['anna', 'Anna', '\u0430nna']
  for (const [index, { id }] of made.entries()) {
    await app.db
      .updateTable('users')
      .set({ username: names[index] ?? '', name_key: null })
      .where('id', '=', id)
      .execute()
  }
  await app.db.updateTable('users').set({ name_key: null }).where('id', '=', 1).execute()
  await Promise.all([fillNameKeys(app.db), fillNameKeys(app.db)])
  await fillNameKeys(app.db)
  const keys = await app.db.selectFrom('users').select('name_key').orderBy('id').execute()
  expect(keys.map(({ name_key }) => name_key)).toEqual(['root', 'anna', null, null])
  for (const [index, { id }] of made.entries()) {
    const login = await app.client().post('/api/user/login', { username: names[index], password: PASSWORD })
    expect(login.data.id).toBe(id)
    const client = await signedIn(app, id)
    expect((await client.put('/api/user/self', { username: names[index], display_name: 'A' })).success).toBe(true)
  }
  const third = await app.client().post('/api/user/register', { username: 'ANNA', password: PASSWORD })
  expect(third).toMatchObject(refused('register.username_taken'))
}, 30_000)

test('a name is free again when its account is deleted', async () => {
  const app = await testApp()
  const { client } = await makeUser(app, { username: 'anna' })
  await client.delete('/api/user/self')
  expect((await app.client().post('/api/user/register', { username: 'Anna', password: PASSWORD })).success).toBe(true)
})
