import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { HOUR } from '../common/time-units.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeAdmin } from '../testing/makers.ts'

/** All current entries are recorded in spans: the job has seen them once. */
async function noteAll(app: TestApp) {
  await noteSeen(app)
  await noteSeen(app)
}

async function noteSeen(app: TestApp) {
  for (const job of app.parts.jobs) if (job.name === 'spans of the log') await job.run()
}

async function asking(app: TestApp) {
  const { client } = await makeAdmin(app)
  return async (query: string) => {
    const { data, headers } = await client.get(`/api/log/?page_size=100&${query}`)
    const contents = data.map(({ content }: { content: string }) => content)
    return { contents, total: Number(headers.get('x-total-count')) }
  }
}

/** More entries than are counted one by one, so that only the hours with a value are searched. */
async function fillHours(app: TestApp, hours: number, each: number) {
  await makeLogs(app, { created_at: HOUR, model_name: 'common', token_name: 'default', channel: 1, content: '' })
  const columns = 'user_id, type, channel, username, token_name, model_name, prompt_tokens, completion_tokens, quota'
  await sql
    .raw(`INSERT INTO logs (${columns}, content, content_en, created_at) SELECT ${columns}, content, content_en,
      hour.n * ${HOUR} + entry.n FROM logs,
      (${numbers(hours)}) AS hour, (${numbers(each)}) AS entry`)
    .execute(app.db)
}

const numbers = (count: number) =>
  `WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${count}) SELECT n FROM g`

test('rare entries among many are found by their hours, by one value or several, whatever was written since', async () => {
  const app = await testApp()
  const ask = await asking(app)
  await fillHours(app, 30, 400)
  const rare = { model_name: 'rare', token_name: 'mine', channel: 7 }
  await makeLogs(
    app,
    { ...rare, created_at: 5 * HOUR + 10, content: 'first' },
    { ...rare, created_at: 5 * HOUR + 20, content: 'second' },
    { ...rare, created_at: 6 * HOUR, content: 'next hour' },
    { ...rare, created_at: 20 * HOUR, channel: 1, content: 'elsewhere' },
  )
  await noteAll(app)
  // Not recorded yet: a current entry, and one that was written late.
  await makeLogs(
    app,
    { ...rare, created_at: 40 * HOUR, content: 'now' },
    { ...rare, created_at: 3 * HOUR, content: 'late' },
  )

  const all = ['now', 'elsewhere', 'next hour', 'second', 'first', 'late']
  expect(await ask('model_name=rare')).toEqual({ contents: all, total: 6 })
  expect(await ask('token_name=mine')).toEqual({ contents: all, total: 6 })
  expect((await ask('model_name=rare&channel=7')).contents).toEqual(all.filter((content) => content !== 'elsewhere'))
  expect((await ask('model_name=rare&channel=7&token_name=default')).contents).toEqual([])
  expect((await ask('model_name=rare&channel=1')).contents).toEqual(['elsewhere'])
  const range = `start_timestamp=${5 * HOUR + 20}&end_timestamp=${6 * HOUR}`
  expect((await ask(`model_name=rare&${range}`)).contents).toEqual(['next hour', 'second'])

  await noteAll(app)
  expect(await ask('model_name=rare')).toEqual({ contents: all, total: 6 })
})

test('an entry is recorded when it has been seen once before: one that is written late with a smaller id is not missed', async () => {
  const app = await testApp()
  const noted = () =>
    app.db.selectFrom('log_spans').select(['dimension', 'value', 'start']).orderBy('dimension').execute()
  await makeLogs(app, { created_at: 2 * HOUR + 5, model_name: 'm', token_name: 'k', channel: 3 })
  await noteSeen(app)
  expect(await noted()).toEqual([])
  await noteSeen(app)
  expect(await noted()).toEqual([
    { dimension: 'channel', value: '3', start: 2 * HOUR },
    { dimension: 'model_name', value: 'm', start: 2 * HOUR },
    { dimension: 'token_name', value: 'k', start: 2 * HOUR },
  ])
})

test('entries are found by the name that their user had then, even if others have had it or the user had others', async () => {
  const app = await testApp()
  const ask = await asking(app)
  const names = async () => {
    const found: Record<string, string[]> = {}
    for (const name of ['ann', 'bob', 'eve', 'nobody']) found[name] = (await ask(`username=${name}`)).contents
    return found
  }
  await makeLogs(
    app,
    { created_at: 100, user_id: 71, username: 'ann', content: '1' },
    { created_at: 200, user_id: 71, username: 'bob', content: '2' },
    { created_at: 300, user_id: 72, username: 'eve', content: '3' },
  )
  const before = { ann: ['1'], bob: ['2'], eve: ['3'], nobody: [] }
  expect(await names()).toEqual(before)
  await noteAll(app)
  expect(await names()).toEqual(before)
  // Another user takes the name that became free.
  await makeLogs(app, { created_at: 400, user_id: 73, username: 'ann', content: '4' })
  const after = { ...before, ann: ['4', '1'] }
  expect(await names()).toEqual(after)
  await noteAll(app)
  expect(await names()).toEqual(after)
})

test('removing entries removes their hours', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(
    app,
    { created_at: 5 * HOUR, model_name: 'old', token_name: '', channel: 0 },
    { created_at: 9 * HOUR, model_name: 'new', token_name: '', channel: 0 },
  )
  await noteAll(app)
  await client.delete(`/api/log/?target_timestamp=${9 * HOUR}`)
  expect(await app.db.selectFrom('log_spans').select('value').execute()).toEqual([{ value: 'new' }])
})
