import { expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { makeAdmin } from '../testing/makers.ts'

// Tens of thousands of entries each, possibly on a busy machine.
setDefaultTimeout(30_000)

/** Entries 1, 2, 3, … one second apart; every third of model `b`, every two hundredth of channel 9, all by one user. */
async function manyLogs(app: TestApp, count: number) {
  const numbers =
    engine === 'postgres'
      ? `SELECT n FROM generate_series(1, ${count}) AS g(n)`
      : `WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${count}) SELECT n FROM g`
  await sql
    .raw(
      `INSERT INTO logs (user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens,
        completion_tokens, quota, content, content_en) SELECT 1, 1000 + n, 2, CASE WHEN n % 200 = 0 THEN 9 ELSE 1 END,
        'root', 'default', CASE WHEN n % 3 = 0 THEN 'b' ELSE 'a' END, 0, 0, 0, 'entry ' || n, 'entry ' || n
        FROM (${numbers}) AS numbers`,
    )
    .execute(app.db)
}

test('a total is exact up to 10,000; beyond, the answer says that there are more, and later pages exist', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await manyLogs(app, 10_000)
  const ask = async (query: string) => {
    const { data, headers } = await client.get(`/api/log/?${query}`)
    const contents = data.map(({ content }: { content: string }) => content)
    return { contents, total: headers.get('x-total-count'), more: headers.get('x-total-more') }
  }
  expect(await ask('p=0')).toMatchObject({ total: '10000', more: null })
  await manyLogs(app, 2_015)
  expect(await ask('p=0')).toMatchObject({ total: '10000', more: 'true' })
  expect(await ask('p=0&type=2&username=root')).toMatchObject({ total: '10000', more: 'true' })
  expect((await ask('p=1201')).contents).toEqual([3, 2, 2, 1, 1].map((n) => `entry ${n}`))
  expect(await ask('p=1202')).toMatchObject({ contents: [], total: '10000', more: 'true' })
  // Entries of the same second are ordered by id, newest first.
  expect((await ask('p=0&end_timestamp=1003')).contents).toEqual(
    ['3', '3', '2', '2', '1', '1'].map((n) => `entry ${n}`),
  )
})

test('several conditions together find all matches and nothing else, page after page', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await manyLogs(app, 30_000)
  const ask = async (query: string) => {
    const { data, headers } = await client.get(`/api/log/?${query}`)
    return { ids: data.map(({ id }: { id: number }) => id), total: Number(headers.get('x-total-count')), headers }
  }
  // 50 entries, of which the last is the 600th of 30,000.
  const rare = 'model_name=b&channel=9&type=2&username=root'
  const seen: number[] = []
  for (let page = 0; page < 5; page++) {
    const { ids, total, headers } = await ask(`p=${page}&${rare}`)
    // Counted as far as that is cheap: the last page includes them all.
    if (page === 4 || headers.get('x-total-more') === null) expect(total).toBe(50)
    else expect(total).toBeGreaterThan(page * 10 + ids.length)
    seen.push(...ids)
  }
  expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => 30_000 - n * 600))
  expect((await ask(`p=5&${rare}`)).ids).toEqual([])
  expect(await ask('p=0&model_name=a&token_name=none')).toMatchObject({ ids: [], total: 0 })

  // Two common conditions: counted as far as that is cheap, and never fewer than the page shows.
  const common = await ask('p=0&model_name=a&token_name=default')
  expect(common.headers.get('x-total-more')).toBe('true')
  const last = await ask('p=1999&model_name=a&token_name=default')
  expect(last.ids).toEqual([14, 13, 11, 10, 8, 7, 5, 4, 2, 1])
  expect(last.total).toBe(10_000)
})

test('a search reads as far as it has to', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await manyLogs(app, 9_000)
  const found = await client.get('/api/log/search?keyword=entry%2011&p=0')
  expect(found.headers.get('x-total-count')).toBe('111')
  const oldest = await client.get('/api/log/search?keyword=try%2077&p=11')
  expect(oldest.data.map(({ content }: { content: string }) => content)).toEqual(['entry 77'])
})
