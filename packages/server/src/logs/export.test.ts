import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { engine } from '../testing/database.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'

const jsonLines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const contentsOf = async (client: Client, path: string) =>
  jsonLines((await client.get(path)).data).map(({ content }) => content)

test('a filtered log is exported as CSV that Excel opens: UTF-8 with a byte order mark, quoted, the time for people and as a number', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(
    app,
    { content: '倍率 1, "两倍"\n第二行', model_name: 'gpt-4o', quota: 7, created_at: 1_800_000_000 },
    { content: 'other', model_name: 'o3' },
  )
  const { data, headers, status } = await client.get('/api/log/export?format=csv&model_name=gpt-4o')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const today = new Date(app.clock.now()).toISOString().slice(0, 10)
  expect(headers.get('content-disposition')).toBe(`attachment; filename="tollgate-logs-${today}.csv"`)
  // `Response.text` drops the byte order mark, like every reader of UTF-8.
  const raw = await fetch(`${app.url}/api/log/export?model_name=gpt-4o`, { headers: { cookie: cookieOf(client) } })
  expect([...(await raw.bytes()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(data).toBe(
    'id,time,created_at,type,user_id,username,token_name,model_name,channel,prompt_tokens,completion_tokens,quota,' +
      'elapsed_time,first_byte_time,is_stream,request_id,content,detail,outcome,calls\r\n' +
      '1,2027-01-15T08:00:00.000Z,1800000000,2,1,root,,gpt-4o,0,0,0,7,0,0,false,,"倍率 1, ""两倍""\n第二行",,,1\r\n',
  )
})

test('a CSV says how many calls an entry stands for, so that its sum is that of Analytics', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(app, { quota: 7 }, { type: 6, quota: 0 }, { type: 6, quota: 0 }, { type: 1 }, { type: 5 })
  await app.db.updateTable('logs').set({ detail: '{"status":429,"count":4}' }).where('id', '=', 3).execute()
  const { data } = await client.get('/api/log/export')
  const rows = String(data).split('\r\n').slice(1, -1)
  expect(rows.map((row) => Number(row.split(',').at(-1)))).toEqual([0, 0, 4, 1, 1])
})

test('nothing in a CSV is a formula, whatever users call their keys and models; numbers stay numbers', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const tricks = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '=HYPERLINK("http://x","y")', '＝1+1']
  await makeLogs(app, ...tricks.map((trick) => ({ token_name: trick, type: 3, quota: -5 })))
  const { data } = await client.get('/api/log/export')
  const rows = String(data).split('\r\n').slice(1, -1).reverse()
  expect(rows.map((row) => row.split(',')[6]?.replace(/^"/, '').slice(0, 2))).toEqual(
    tricks.map((trick) => `'${trick[0]}`),
  )
  for (const row of rows) expect(row).toContain(',-5,')
})

test('an export has exactly the entries of the list, in its order, in the chosen language', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(
    app,
    { content: 'a', content_en: 'A', type: 1, created_at: 100 },
    { content: 'b', content_en: 'B', username: 'ann', created_at: 300 },
    { content: 'c', content_en: 'C', username: 'ann', created_at: 200 },
    { content: 'd', content_en: 'D', username: 'ann', channel: 3, created_at: 200 },
  )
  for (const query of [
    '',
    'username=ann',
    'type=2&username=ann',
    'channel=3',
    'start_timestamp=150&end_timestamp=200',
  ]) {
    const { data } = await client.get(`/api/log/?p=0&${query}`)
    const exported = jsonLines((await client.get(`/api/log/export?format=jsonl&${query}`)).data)
    expect(exported.map(({ time, ...entry }) => entry)).toEqual(data)
  }
  expect(jsonLines((await client.get('/api/log/export?format=jsonl')).data)[0].time).toBe('1970-01-01T00:05:00.000Z')
  expect(await contentsOf(client, '/api/log/export?format=jsonl&language=en')).toEqual(['B', 'D', 'C', 'A'])
  expect(await contentsOf(client, '/api/log/export?format=jsonl&language=fr')).toEqual(['b', 'd', 'c', 'a'])
  expect((await client.get('/api/log/export?format=xml')).headers.get('content-type')).toStartWith('text/csv')
  expect((await client.get('/api/log/export?format=jsonl&username=nobody')).data).toBe('')
})

test("a user's export has only their own entries, and nothing about the channels", async () => {
  const app = await testApp()
  const ann = await makeUser(app, { username: 'ann' })
  const bob = await makeUser(app, { username: 'bob' })
  await makeLogs(app, { user_id: ann.id, content: 'of ann' }, { user_id: bob.id, content: 'of bob', channel: 2 })
  const detail = JSON.stringify({ flag: 'partial', attempts: [{ channel: 7 }], candidates: { considered: [] } })
  await app.db.updateTable('logs').set({ detail }).execute()
  for (const query of ['', '&username=bob', '&channel=2', '&user_id=2']) {
    const [row, ...rest] = jsonLines((await ann.client.get(`/api/log/self/export?format=jsonl${query}`)).data)
    expect(row).toMatchObject({ content: 'of ann', detail: { flag: 'partial' } })
    expect(row.detail).not.toHaveProperty('attempts')
    expect(row.detail).not.toHaveProperty('candidates')
    expect(rest).toEqual([])
  }
  expect((await ann.client.get('/api/log/self/export')).data).not.toContain('attempts')
  expect(await ann.client.get('/api/log/export')).toMatchObject({ success: false, message: '权限不足，无法进行此操作' })
})

/** More than any buffer holds: some tens of megabytes. */
const MANY = 60_000

async function fill(app: TestApp) {
  const numbers =
    engine === 'postgres'
      ? `SELECT n FROM generate_series(1, ${MANY}) AS g(n)`
      : `WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${MANY}) SELECT n FROM g`
  const text = 'x'.repeat(700)
  await sql
    .raw(
      `INSERT INTO logs (user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens,
        completion_tokens, quota, content, content_en) SELECT 1, n / 3, 2, n % 2, 'root', '', 'm', 0, 0, 0,
        'entry ' || n || ' ${text}', '' FROM (${numbers}) AS numbers`,
    )
    .execute(app.db)
  // As autovacuum does within a minute: without statistics every section may be looked for in the whole table.
  if (engine === 'postgres') await sql`ANALYZE logs`.execute(app.db)
}

const cookieOf = (client: Client) => [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const open = (app: TestApp, client: Client, query: string, signal?: AbortSignal) =>
  fetch(`${app.url}/api/log/export?${query}`, { headers: { cookie: cookieOf(client) }, ...(signal && { signal }) })

test('an export of very many entries is complete, each once, with one condition or several', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await fill(app)
  for (const [query, expected] of [
    ['format=jsonl', MANY],
    ['format=jsonl&channel=1&model_name=m&type=2', MANY / 2],
  ] as const) {
    const ids = jsonLines(await (await open(app, client, query)).text()).map(({ id }) => id)
    expect(ids).toHaveLength(expected)
    expect(ids.every((id, index) => index === 0 || id < ids[index - 1])).toBe(true)
  }
  expect(app.lines.filter((line) => line.includes('"finished":true'))).toHaveLength(2)
}, 60_000)

test('an export is produced while it is read: what a slow client has not requested has not been read from the log', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await fill(app)
  const answer = await open(app, client, 'format=jsonl')
  const reader = answer.body?.getReader()
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
  await app.db.deleteFrom('logs').execute()
  let bytes = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    bytes += value?.length ?? 0
  }
  // Everything would be 45 MB; what was sent fits the buffers of two sockets.
  expect(bytes).toBeLessThan(20_000_000)
  expect(await app.logged('An export of the log ended')).toContain('"finished":true')
}, 60_000)

test('a client that disconnects ends the reading of the log', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await fill(app)
  const leaving = new AbortController()
  const answer = await open(app, client, 'format=csv', leaving.signal)
  await answer.body?.getReader().read()
  leaving.abort()
  const { rows, finished } = JSON.parse(await app.logged('An export of the log ended'))
  expect(finished).toBe(false)
  expect(rows).toBeLessThan(MANY)
}, 60_000)
