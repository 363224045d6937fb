import { expect, test } from 'bun:test'
import { type LogFilter, OUTCOMES } from '@tollgate/contract'
import { sql } from 'kysely'
import { testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { planSearch } from './log-search-repository.ts'
import { logsRepository } from './logs-repository.ts'

const NO_FILTER: LogFilter = {
  ...{ username: '', group: '', token_name: '', model_name: '', channel: 0, type: 0, session: '', request_id: '' },
  ...{ start_timestamp: 0, end_timestamp: 0, outcome: '', min_quota: 0, min_elapsed: 0, stream: '' },
  ...{ no_model: '', offered: '', no_token: '', no_group: '', user_id: 0 },
}

const CALLS = Array.from({ length: 60 }, (_, n) => ({
  created_at: 1000 + n,
  content: `call ${n}`,
  type: OUTCOMES[n % 7] === 'success' ? 2 : 6,
  outcome: OUTCOMES[n % 7] ?? 'success',
  quota: OUTCOMES[n % 7] === 'success' ? n * 10 : 0,
  elapsed_time: n * 100,
  is_stream: n % 2 === 0 ? (0 as const) : (1 as const),
  model_name: n % 3 === 0 ? 'a' : 'b',
}))

const fits = (query: string) => {
  const asked = new URLSearchParams(query)
  return CALLS.filter(
    (call) =>
      (['', null, call.outcome].includes(asked.get('outcome')) ||
        (asked.get('outcome') === 'failed' && !['success', 'canceled'].includes(call.outcome))) &&
      (asked.get('type') !== '7' || call.type === 2 || call.type === 6) &&
      call.quota >= Number(asked.get('min_quota')) &&
      call.elapsed_time >= Number(asked.get('min_elapsed')) &&
      [null, '', String(call.is_stream === 1)].includes(asked.get('stream')) &&
      [null, call.model_name].includes(asked.get('model_name')),
  ).toReversed()
}

const QUERIES = [
  'outcome=timeout',
  'outcome=success',
  'outcome=failed',
  'outcome=failed&model_name=a&stream=true',
  'type=7',
  'type=7&model_name=b',
  'outcome=',
  'outcome=success&model_name=a',
  'outcome=canceled&model_name=b&stream=true',
  'min_quota=300',
  'min_elapsed=4000',
  'min_elapsed=4000&stream=false',
  'stream=true',
  'stream=false&outcome=success&min_quota=100&min_elapsed=1500&model_name=b',
]

test('calls are found by outcome, cost, duration and streaming', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app)
  await makeLogs(app, ...CALLS.map((call) => ({ ...call, user_id: user.id, username: user.username })))
  await makeLogs(app, { user_id: 900, username: 'other', outcome: 'timeout', type: 6, created_at: 10 })
  for (const query of QUERIES) {
    const expected = fits(query)
    for (const [client, path, own] of [
      [admin, '/api/log', `&username=${user.username}`],
      [user.client, '/api/log/self', ''],
    ] as const) {
      const range = 'start_timestamp=1000&end_timestamp=1100'
      const { data, headers } = await client.get(`${path}/?${query}${own}&${range}&page_size=100`)
      expect(data.map(({ content }: { content: string }) => content)).toEqual(expected.map(({ content }) => content))
      expect(headers.get('x-total-count')).toBe(String(expected.length))
      const stat = await client.get(`${path}/stat?${query}${own}&${range}`)
      const quota = expected.reduce((sum, call) => sum + call.quota, 0)
      expect(stat.data).toEqual({ quota, rounded: false })
      const file = await client.get(`${path}/export?${query}${own}&${range}&format=jsonl`)
      expect(String(file.data).trim().split('\n').filter(Boolean)).toHaveLength(expected.length)
    }
  }
})

test('calls without a channel can be found, apart from all others', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const calls = [0, 3, 4].map((channel) => ({ channel, type: channel === 0 ? 6 : 2, content: `of ${channel}` }))
  await makeLogs(app, ...calls.map((call) => ({ ...call, created_at: 1000, username: 'ann', quota: call.channel })))
  await makeLogs(app, { created_at: 1000, username: 'ann', type: 1, content: 'a top-up' })
  const found = async (query: string) => {
    const { data } = await client.get(`/api/log/?username=ann&${query}`)
    return data.map(({ content }: { content: string }) => content).sort()
  }
  expect(await found('type=7&channel=-1')).toEqual(['of 0'])
  expect(await found('outcome=&channel=-1&type=6')).toEqual(['of 0'])
  expect(await found('channel=4')).toEqual(['of 4'])
  // As the ancestor's consoles ask for all.
  expect(await found('type=7&channel=0')).toEqual(['of 0', 'of 3', 'of 4'])
  const stat = async (channel: number) =>
    (await client.get(`/api/log/stat?username=ann&type=7&start_timestamp=900&end_timestamp=1100&channel=${channel}`))
      .data
  expect([await stat(-1), await stat(4)]).toMatchObject([{ quota: 0 }, { quota: 4 }])
})

test('all calls are those that were charged or failed, and nothing else of the log', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const entry = { created_at: 1000, username: 'ann', model_name: 'm' }
  await makeLogs(app, ...[1, 2, 3, 4, 5, 6].map((type) => ({ ...entry, type, quota: 10 ** type, content: `${type}` })))
  const { data, headers } = await client.get('/api/log/?type=7&username=ann')
  expect(data.map(({ type }: { type: number }) => type)).toEqual([6, 2])
  expect(headers.get('x-total-count')).toBe('2')
  expect((await client.get('/api/log/stat?type=7&username=ann')).data.quota).toBe(100)
})

test('the calls of a group are those of the users who are in it now', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const member = await makeUser(app, { group: 'vip,default' })
  const other = await makeUser(app, { group: 'default,vip' })
  const calls = CALLS.map((call, n) => ({ ...call, user_id: [member.id, other.id, 900][n % 3] ?? 0 }))
  await makeLogs(app, ...calls)
  const read = async (query: string) =>
    (await client.get(`/api/log/?type=7&end_timestamp=1100&${query}`)).data.map(
      ({ content }: { content: string }) => content,
    )
  const callsOf = ({ id }: { id: number }) =>
    calls
      .filter(({ user_id }) => user_id === id)
      .map(({ content }) => content)
      .toReversed()
  expect([...(await read('group=vip')), ...(await read('group=vip&p=1'))]).toEqual(callsOf(member))
  expect(await read('group=default&page_size=100')).toEqual(callsOf(other))
  expect(await read('group=nobody')).toEqual([])
  await app.db.updateTable('users').set({ group: 'vip' }).where('id', '=', other.id).execute()
  const ofBoth = calls.filter(({ user_id }) => user_id !== 900).map(({ content }) => content)
  expect(await read('group=vip&page_size=100')).toEqual(ofBoth.toReversed())
  // In a user's own log it says nothing.
  const { data } = await member.client.get('/api/log/self?type=7&group=nobody&page_size=100')
  expect(data).toHaveLength(callsOf(member).length)
})

test('the calls of an account are found under each of its names, in the list, its file and its sum', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const user = await makeUser(app, { username: 'new' })
  const of = (user_id: number, username: string, content: string) => ({ user_id, username, content, quota: 5 })
  await makeLogs(app, of(user.id, 'old', 'a'), of(900, 'new', 'b'), of(user.id, 'new', 'c'))
  const contents = (rows: { content: string }[]) => rows.map(({ content }) => content)
  const found = async (query: string) => [
    contents((await client.get(`/api/log/?${query}`)).data),
    (await client.get(`/api/log/export?format=jsonl&${query}`)).data.split('\n').length - 1,
    (await client.get(`/api/log/stat?${query}`)).data.quota,
  ]
  expect(await found(`user_id=${user.id}`)).toEqual([['c', 'a'], 2, 10])
  expect(await found('username=new')).toEqual([['c', 'b'], 2, 10])
  expect(await found(`user_id=${user.id}&username=new`)).toEqual([['c'], 1, 5])
  expect(await found('user_id=0')).toEqual([['c', 'b', 'a'], 3, 15])
  // In a user's own log it says nothing.
  expect(contents((await user.client.get('/api/log/self?user_id=900')).data)).toEqual(['c', 'a'])
})

test('the few calls of a group are read by its members, and many by time', async () => {
  const { db, ...app } = await testApp()
  const { id: user_id } = await makeUser({ db, ...app }, { group: 'vip' })
  await makeLogs({ db, ...app }, ...CALLS.map((call, n) => ({ ...call, user_id: n < 9 ? user_id : 900 })))
  const search = { scope: 'everyone' as const, filter: { ...NO_FILTER, group: 'vip' } }
  const members = { column: 'user_id' as const, is: 'member' as const, value: ['vip'] }
  expect(await planSearch(db, search, 10)).toMatchObject({ lead: members, others: [], counted: 9 })
  expect(await planSearch(db, search, 9)).toMatchObject({ lead: undefined, others: [members] })
})

test('a page has as many rows as are asked for, 10 unless it is said, and pages follow each other', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(app, ...CALLS)
  const numbers = async (query: string) =>
    (await client.get(`/api/log/?end_timestamp=1100&${query}`)).data.map(({ content }: { content: string }) =>
      Number(content.slice(5)),
    )
  expect(await numbers('p=0')).toEqual(Array.from({ length: 10 }, (_, n) => 59 - n))
  expect(await numbers('p=1&page_size=50')).toEqual(Array.from({ length: 10 }, (_, n) => 9 - n))
  expect(await numbers('p=2&page_size=20&stream=true')).toEqual([])
  expect(await numbers('p=1&page_size=20&stream=true')).toEqual(Array.from({ length: 10 }, (_, n) => 19 - n * 2))
})

test.each([
  'outcome=fine',
  'min_quota=-1',
  'min_quota=x',
  'min_elapsed=1.5',
  'stream=maybe',
  'page_size=9',
  'page_size=101',
])('an invalid filter is refused by name: %s', async (query) => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { success, message } = await client.get(`/api/log/?${query}`)
  expect(success).toBe(false)
  expect(message).toMatch(/结果|最低额度|最短耗时|流式|每页条数/)
  expect(message).not.toMatch(/, $/)
})

test('what only the log contains is added up within a time limit, and the answer says since when', async () => {
  const { db, ...app } = await testApp()
  await makeLogs({ db, ...app }, ...Array.from({ length: 2500 }, (_, n) => ({ created_at: 5000 + n, quota: 1 })))
  const search = { scope: 'everyone' as const, filter: { ...NO_FILTER, min_quota: 1, type: 2 } }
  expect(await logsRepository(db, 0, 60_000).sumOfEntries(search)).toEqual({ quota: 2500 })
  expect(await logsRepository(db, 0, 0).sumOfEntries(search)).toEqual({ quota: 1000, since: 6500 })
})

test('failures are read along a separate index', async () => {
  const { db, ...app } = await testApp()
  await makeLogs({ db, ...app }, ...CALLS)
  const search = { scope: 'everyone' as const, filter: { ...NO_FILTER, outcome: 'timeout' as const, model_name: 'a' } }
  const plan = await planSearch(db, search, 100)
  expect(plan.lead).toEqual({ column: 'outcome', value: 'timeout' })
  if (engine === 'sqlite') {
    const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN SELECT id, model_name, user_id FROM logs
      WHERE outcome = ${'timeout'} AND outcome <> '' AND outcome <> 'success'
      ORDER BY created_at DESC, id DESC`.execute(db)
    expect(rows).toEqual([expect.objectContaining({ detail: expect.stringContaining('COVERING INDEX logs_outcome') })])
  }
})

test('a call that was refused is found by its outcome', async () => {
  const { app, chat, root } = await relayFixture()
  await chat('no-such-model')
  await app.parts.refusedCalls.flush()
  expect((await root.get('/api/log/?outcome=client_error')).data).toMatchObject([{ model_name: 'no-such-model' }])
  expect((await root.get('/api/log/?outcome=access')).data).toEqual([])
})
