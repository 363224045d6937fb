import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeAdmin, makeUser } from '../testing/makers.ts'

const contents = async (client: Client, path: string) =>
  (await client.get(path)).data.map(({ content }: { content: string }) => content)

test('an entry has every field of the contract; newest first, ten per page [R3.19 R4.26 R7.66]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const full = {
    user_id: 1,
    username: 'root',
    created_at: 5000,
    type: 2,
    channel: 7,
    token_name: 'default',
    model_name: 'gpt-4o',
    prompt_tokens: 11,
    completion_tokens: 22,
    quota: 33,
    content: '倍率 1',
  }
  await makeLogs(app, ...Array.from({ length: 11 }, (_, n) => ({ content: `entry ${n + 1}` })), full)
  const { data, headers } = await client.get('/api/log/?p=0')
  expect(data[0]).toMatchObject({ id: 12, ...full })
  expect(data.map(({ id }: { id: number }) => id)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  expect(headers.get('x-total-count')).toBe('12')
  expect(await contents(client, '/api/log?p=1')).toEqual(['entry 2', 'entry 1'])
  expect(await contents(client, '/api/log/?p=2')).toEqual([])
})

test('each filter is exact, and combined they narrow [R4.13 R6.03 R7.66]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(
    app,
    { content: 'a', type: 1, username: 'ann', created_at: 100 },
    {
      content: 'b',
      type: 2,
      username: 'ann',
      token_name: 'default',
      model_name: 'gpt-4o',
      channel: 3,
      created_at: 200,
    },
    {
      content: 'c',
      type: 2,
      username: 'bob',
      token_name: 'other',
      model_name: 'gpt-4o-mini',
      channel: 3,
      created_at: 300,
    },
    { content: 'd', type: 3, username: 'bob', created_at: 400 },
    { content: 'e', type: 4, username: 'ann%', created_at: 500 },
    { content: 'f', type: 5, created_at: 600 },
    { content: 'g', type: 6, created_at: 700 },
  )
  const cases: [string, string[]][] = [
    ['type=0', ['g', 'f', 'e', 'd', 'c', 'b', 'a']],
    ['type=1', ['a']],
    ['type=2', ['c', 'b']],
    ['type=3', ['d']],
    ['type=4', ['e']],
    ['type=5', ['f']],
    ['type=6', ['g']],
    ['type=7', ['g', 'c', 'b']],
    ['type=8', []],
    ['username=ann', ['b', 'a']],
    ['username=an', []],
    ['username=ann%25', ['e']],
    ['token_name=default', ['b']],
    ['model_name=gpt-4o', ['b']],
    ['channel=3', ['c', 'b']],
    ['start_timestamp=300', ['g', 'f', 'e', 'd', 'c']],
    ['end_timestamp=300', ['c', 'b', 'a']],
    ['start_timestamp=200&end_timestamp=400', ['d', 'c', 'b']],
    ['type=2&username=bob&channel=3&model_name=gpt-4o-mini&token_name=other', ['c']],
    ['type=1&username=bob', []],
  ]
  for (const [query, expected] of cases) {
    const { data, headers } = await client.get(`/api/log/?p=0&${query}`)
    const found = data.map(({ content }: { content: string }) => content)
    expect({ query, found }).toEqual({ query, found: expected })
    expect(headers.get('x-total-count')).toBe(String(expected.length))
  }
})

test('a range that is turned round is refused with a sentence, in every list, sum and file of the log', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const paths = ['', 'self', 'stat', 'self/stat', 'export', 'self/export', 'tail', 'self/tail']
  for (const path of paths) {
    const answer = await root.get(`/api/log/${path}?start_timestamp=2000&end_timestamp=1000`)
    expect([path, answer.success, answer.message]).toEqual([path, false, '结束时间必须晚于开始时间'])
  }
  for (const range of ['start_timestamp=1000&end_timestamp=1000', 'start_timestamp=2000&end_timestamp=0'])
    expect((await root.get(`/api/log/?${range}`)).success).toBe(true)
})

test('the statistic sums the quota of what the filter shows; without a type that is consumption [R7.68]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(
    app,
    { type: 1, quota: 1000, username: 'ann', created_at: 100 },
    { type: 2, quota: 7, username: 'ann', model_name: 'gpt-4o', channel: 1, created_at: 200 },
    { type: 2, quota: 50, username: 'bob', model_name: 'o3', channel: 2, created_at: 300 },
    { type: 3, quota: -400, username: 'bob', created_at: 400 },
  )
  const sum = async (query: string) => (await client.get(`/api/log/stat?${query}`)).data
  expect(await sum('')).toEqual({ quota: 57, rounded: false })
  expect(await sum('type=0')).toEqual({ quota: 57, rounded: false })
  expect(await sum('type=2')).toEqual({ quota: 57, rounded: false })
  expect(await sum('type=1')).toEqual({ quota: 1000, rounded: false })
  expect(await sum('type=3')).toEqual({ quota: -400, rounded: false })
  expect(await sum('username=ann')).toEqual({ quota: 7, rounded: false })
  expect(await sum('channel=2')).toEqual({ quota: 50, rounded: false })
  expect(await sum('model_name=gpt-4o&start_timestamp=200&end_timestamp=200')).toEqual({ quota: 7, rounded: false })
  expect(await sum('username=nobody')).toEqual({ quota: 0, rounded: false })
})

test('users see only their own rows, whatever they request: names and channels of others are dropped from the filter [R6.05 R7.67 R7.69]', async () => {
  const app = await testApp()
  const ann = await makeUser(app, { username: 'ann' })
  const bob = await makeUser(app, { username: 'bob' })
  await makeLogs(
    app,
    // Ann had another name then; the row is still hers.
    { user_id: ann.id, username: 'anna', content: 'earlier', quota: 900, type: 2, created_at: 10, channel: 2 },
    { user_id: ann.id, username: 'ann', content: 'of ann', quota: 5, token_name: 't', model_name: 'm', channel: 1 },
    { user_id: bob.id, username: 'bob', content: 'of bob', quota: 70, channel: 2 },
    // And a deleted user had her name.
    { user_id: 987, username: 'ann', content: 'of a namesake', quota: 1 },
  )
  const own = ['of ann', 'earlier']
  for (const query of ['', '?username=bob', '?channel=2', '?username=bob&channel=1', '?user_id=2']) {
    expect(await contents(ann.client, `/api/log/self/${query}`)).toEqual(own)
    expect((await ann.client.get(`/api/log/self/stat${query}`)).data).toEqual({ quota: 905, rounded: false })
  }
  expect(await contents(ann.client, '/api/log/self?token_name=t')).toEqual(['of ann'])
  expect(await contents(ann.client, '/api/log/self?model_name=x')).toEqual([])
  expect(await contents(ann.client, '/api/log/self?end_timestamp=10')).toEqual(['earlier'])
  expect((await ann.client.get('/api/log/self/stat?start_timestamp=11')).data).toEqual({ quota: 5, rounded: false })
  expect(await contents(bob.client, '/api/log/self')).toEqual(['of bob'])
  for (const path of ['/api/log/', '/api/log/stat', '/api/log/search?keyword=of']) {
    expect(await ann.client.get(path)).toMatchObject({ success: false, message: '权限不足，无法进行此操作' })
  }
})

test('a search finds part of the text in either language, literally, in pages, and for users in their own rows', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app)
  await makeLogs(
    app,
    { user_id: user.id, content: '充值 100% 成功', content_en: 'Topped up, 100% done' },
    { user_id: user.id, content: '模型 a_b', content_en: 'Model A_B' },
    { user_id: 1, content: '模型 aXb', content_en: 'Model AXB' },
  )
  const found = (client: Client, path: string, keyword: string) =>
    contents(client, `${path}?keyword=${encodeURIComponent(keyword)}`)
  expect(await found(admin, '/api/log/search', '模型')).toEqual(['模型 aXb', '模型 a_b'])
  expect(await found(admin, '/api/log/search', 'model a')).toEqual(['模型 aXb', '模型 a_b'])
  expect(await found(admin, '/api/log/search', 'A_B')).toEqual(['模型 a_b'])
  expect(await found(admin, '/api/log/search', '%')).toEqual(['充值 100% 成功'])
  expect(await found(user.client, '/api/log/self/search', '模型')).toEqual(['模型 a_b'])
  expect(await found(user.client, '/api/log/self/search', 'XB')).toEqual([])
  await makeLogs(app, ...Array.from({ length: 10 }, () => ({ content: '模型 c' })))
  const second = await admin.get(`/api/log/search?keyword=${encodeURIComponent('模型')}&p=1`)
  expect(second.data).toHaveLength(2)
  expect(second.headers.get('x-total-count')).toBe('12')
})

test('what one-api’s consoles send for "nothing" means nothing, and is never an error', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(app, { content: 'one', quota: 4 })
  const nothing = ['', 'NaN', 'undefined', 'null', '[object Object]', '-1', '1e400']
  for (const value of nothing) {
    const dirty = new URLSearchParams({
      p: value,
      type: value,
      start_timestamp: value,
      end_timestamp: value,
      channel: value,
    })
    expect(await contents(client, `/api/log/?${dirty}&username=&token_name=&model_name=`)).toEqual(['one'])
    expect((await client.get(`/api/log/stat?${dirty}`)).data).toEqual({ quota: 4, rounded: false })
  }
  // One of them sends the end of the range with a fraction until somebody picks a date.
  const end = (app.clock.now() + 3_600_000) / 1000 + 0.123
  const query = `p=0&type=0&username=&token_name=&model_name=&start_timestamp=0&end_timestamp=${end}&channel=`
  expect(await contents(client, `/api/log/?${query}`)).toEqual(['one'])
  expect(await contents(client, '/api/log/self/?p=0&type=0&end_timestamp=NaN&page_size=100')).toEqual([])
})

test('an entry is shown in the reader’s language [R8.33]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(app, { content: '中文', content_en: 'English' })
  const read = async (path: string, language: string) =>
    (await client.get(path, { 'accept-language': language })).data[0].content
  for (const path of ['/api/log/', '/api/log/search?keyword=English']) {
    expect(await read(path, 'zh-CN,zh;q=0.9')).toBe('中文')
    expect(await read(path, 'en-US,en;q=0.9')).toBe('English')
    expect(await read(path, 'fr')).toBe('中文')
  }
})

test('a full-width dollar sign that an earlier version wrote is read as the plain one', async () => {
  const app = await testApp()
  await makeLogs(app, { type: 1, content: '通过兑换码充值 ＄1.000000 额度' })
  const { data } = await (await asRoot(app)).get('/api/log/')
  expect(data[0].content).toBe('通过兑换码充值 $1.000000 额度')
})
