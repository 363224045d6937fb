import { expect, onTestFinished, test } from 'bun:test'
import { DAY } from '../common/time-units.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeChannel, storedChannel } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { asRoot, setOptions } from '../testing/makers.ts'

/** A vendor with a list that the test sets, or any other answer. */
const vendorOf = (first: readonly string[]) => {
  let answer = (): Response => listing(first)
  const asked: string[] = []
  let open = 0
  let openMost = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      asked.push(request.headers.get('authorization') ?? '')
      openMost = Math.max(openMost, ++open)
      // Further requests may arrive while this one is answered.
      await new Promise((done) => setTimeout(done, 1))
      open--
      return answer()
    },
  })
  onTestFinished(() => server.stop(true))
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    openMost: () => openMost,
    lists(models: readonly string[], more: object = {}) {
      answer = () => listing(models, more)
    },
    answers(make: () => Response) {
      answer = make
    },
  }
}

const listing = (models: readonly string[], more: object = {}) =>
  Response.json({ object: 'list', data: models.map((id) => ({ id, object: 'model' })), ...more })

const runJob = async (app: TestApp) => {
  const job = app.parts.jobs.find(({ name }) => name === 'model lists')
  const isIdle = job !== undefined && 'isIdle' in job && job.isIdle?.() === true
  if (!isIdle) await job?.run()
}

const fixture = async (listed: readonly string[], fields: object = {}) => {
  const app = await testApp()
  const root = await asRoot(app)
  await setOptions(app, { ModelListCheckEnabled: true })
  const vendor = vendorOf(listed)
  const { id } = await makeChannel(root, { type: 8, base_url: vendor.url, models: 'a,b', ...fields })
  const nextDay = async () => {
    // The rows are moved instead of the clock: sessions would expire within the day.
    await app.db
      .updateTable('model_lists')
      .set(({ eb }) => ({ looked_at: eb('looked_at', '-', DAY) }))
      .execute()
    await runJob(app)
  }
  return { app, root, vendor, id, nextDay }
}

const detail = async (root: Client, id: number) => (await root.get(`/api/model_list/${id}`)).data

const names = (models: { model: string }[]) => models.map(({ model }) => model)

test('while the option is off no vendor is called and no channel list reports anything', async () => {
  const { app, root, vendor, id, nextDay } = await fixture(['a'])
  await setOptions(app, { ModelListCheckEnabled: false })
  await nextDay()
  expect(vendor.asked).toEqual([])
  expect((await root.get('/api/model_list/')).data).toEqual([])
  await root.post(`/api/model_list/${id}/look`, {})
  expect((await root.get('/api/channel/')).data[0].model_list).toBeNull()
})

test('each enabled channel is checked once a day, and added and removed models are reported, with prices', async () => {
  const { app, root, vendor, id, nextDay } = await fixture(['a', 'b', 'never chosen'])
  await makeChannel(root, { type: 8, base_url: vendor.url, name: 'off' })
  const [off] = (await root.get('/api/channel/search?keyword=off')).data
  await root.put('/api/channel/', { id: off.id, status: 2 })
  await runJob(app)
  await runJob(app)
  expect(vendor.asked).toHaveLength(1)
  expect((await root.get('/api/channel/')).data.map((row: { model_list: unknown }) => row.model_list)).toEqual([
    null,
    null,
  ])

  vendor.lists(['a', 'gpt-4o', 'never chosen', 'unheard-of'])
  await nextDay()
  expect(vendor.asked).toHaveLength(2)
  expect((await root.get('/api/model_list/')).data).toMatchObject([
    {
      ...{ id, error: null },
      added: [
        { model: 'gpt-4o', priced: true },
        { model: 'unheard-of', priced: false },
      ],
      missing: [{ model: 'b', upstream: 'b' }],
    },
  ])
  expect((await root.get('/api/channel/search?keyword=a+channel')).data[0].model_list).toEqual({
    ...{ added: 2, missing: 1, error: null },
  })
  const { channels } = (await root.get('/api/channel/attention')).data
  expect(channels).toMatchObject([{ id, reasons: ['unpriced', 'model_list'], model_list: { added: 2, missing: 1 } }])
  expect(names((await detail(root, id)).others)).toEqual(['never chosen'])
})

test('a list that is refused, empty, of another format, truncated or one page of many says nothing about models', async () => {
  const { root, vendor, id, nextDay } = await fixture(['a', 'b'])
  await nextDay()
  const key = 'sk-upstream-key-1234'
  const bad: [() => Response, string][] = [
    [() => Response.json({ error: { message: `Bad key ${key}` } }, { status: 401 }), 'Bad key'],
    [() => new Response('busy', { status: 503 }), ''],
    [() => listing([]), 'is empty'],
    [() => new Response('{"data":[{"id":"a"},{"i'), 'JSON'],
    [() => Response.json({ data: 'no list' }), ''],
    [() => listing(['a'], { has_more: true }), 'only part'],
    [() => listing(['z']), "none of this channel's"],
  ]
  for (const [answer, says] of bad) {
    vendor.answers(answer)
    await nextDay()
    const found = await detail(root, id)
    expect(found).toMatchObject({ missing: [], added: [] })
    expect(found.error.en).toContain(says)
    expect(found.error.en).not.toBe('')
    expect(JSON.stringify(found)).not.toContain(key)
  }
  expect((await root.get('/api/channel/')).data[0].model_list).toMatchObject({ added: 0, missing: 0 })
  vendor.lists(['a', 'b'])
  await nextDay()
  expect(await detail(root, id)).toMatchObject({ error: null })
})

test('a list of less than half its length is accepted when it is seen twice', async () => {
  const { root, vendor, id, nextDay } = await fixture(['a', 'b', 'c', 'd', 'e'])
  await nextDay()
  vendor.lists(['a', 'c'])
  await nextDay()
  expect(await detail(root, id)).toMatchObject({
    missing: [],
    error: { en: expect.stringContaining('from 5 models to 2') },
  })
  await root.post(`/api/model_list/${id}/look`, {})
  expect(await detail(root, id)).toMatchObject({ missing: [{ model: 'b' }], error: null })
})

test('accepting adds and removes models of many channels at once, after a preview that writes nothing', async () => {
  const { app, root, vendor, id, nextDay } = await fixture(['a', 'b'])
  const { id: other } = await makeChannel(root, {
    type: 8,
    base_url: vendor.url,
    models: 'a,x',
    name: 'other',
    group: 'vip',
  })
  await nextDay()
  vendor.lists(['a', 'c'])
  await nextDay()
  const changes = [
    { id, added: ['c'], missing: ['b'] },
    { id: other, added: ['c'], missing: ['x'] },
  ]
  const preview = (await root.post('/api/model_list/accept', { changes, preview: true })).data
  expect(preview).toMatchObject({
    ...{ matched: 2, changed: 2, orphaned_count: 2 },
    unpriced: [{ model: 'c', channels: [id, other] }],
  })
  expect((await storedChannel(app, id)).models).toBe('a,b')
  await root.post('/api/model_list/accept', { changes, preview: false })
  expect((await storedChannel(app, id)).models).toBe('a,c')
  expect((await storedChannel(app, other)).models).toBe('a,c')
  expect((await root.get('/api/model_list/')).data).toEqual([])
  const { rows } = await auditOf(root)
  expect(rows.filter(({ action }) => action === 'channel.update')).toHaveLength(2)
  // Removed again by hand: not reported, because somebody decided it.
  await root.put('/api/channel/', { id, models: 'a' })
  await nextDay()
  expect((await root.get('/api/model_list/')).data).toEqual([])
})

const auditOf = async (root: Client): Promise<{ rows: { action: string }[] }> => ({
  rows: (await root.get('/api/audit/')).data,
})

test('a change that would leave one channel without models, or names one twice or one that is gone, changes none', async () => {
  const { app, root, id } = await fixture(['a', 'b'])
  const { id: other } = await makeChannel(root, { type: 8, base_url: 'http://127.0.0.1:1', models: 'x' })
  const refused = async (changes: object[]) => {
    const { success, message } = await root.post('/api/model_list/accept', { changes, preview: false })
    expect(success).toBe(false)
    return message
  }
  expect(
    await refused([
      { id, added: ['c'] },
      { id: other, missing: ['x'] },
    ]),
  ).toContain('没有任何模型')
  expect(
    await refused([
      { id, added: ['c'] },
      { id, added: ['d'] },
    ]),
  ).toContain('只能出现一次')
  expect(await refused([{ id, added: ['c'] }, { id: 999 }])).toContain('已不存在')
  expect(await refused([])).toBeTruthy()
  expect((await storedChannel(app, id)).models).toBe('a,b')
})

test('ignored changes are not reported again until the list changes back', async () => {
  const { root, vendor, id, nextDay } = await fixture(['a', 'b'])
  const news = async () => {
    const [found] = (await root.get('/api/model_list/')).data
    return found === undefined ? undefined : { added: names(found.added), missing: names(found.missing) }
  }
  await nextDay()
  vendor.lists(['a', 'c'])
  await nextDay()
  expect(await news()).toEqual({ added: ['c'], missing: ['b'] })
  await root.post('/api/model_list/ignore', { changes: [{ id, added: ['c'], missing: ['b'] }] })
  expect(await news()).toBeUndefined()
  await nextDay()
  expect(await news()).toBeUndefined()
  expect(await detail(root, id)).toMatchObject({ others: [{ model: 'c' }], kept: [{ model: 'b' }] })
  vendor.lists(['a', 'b'])
  await nextDay()
  vendor.lists(['a', 'c'])
  await nextDay()
  expect(await news()).toEqual({ added: ['c'], missing: ['b'] })
})

test('an immediate check reports at once, refuses a type without lists, and starts over for a channel that was pointed elsewhere', async () => {
  const { root, vendor, id } = await fixture(['a', 'b'])
  const look = async (channel: number) => (await root.post(`/api/model_list/${channel}/look`, {})).body
  await look(id)
  vendor.lists(['a', 'b', 'c'])
  expect(await look(id)).toMatchObject({ success: true, data: { added: [{ model: 'c' }], others: [] } })
  const elsewhere = vendorOf(['a', 'b', 'd'])
  await root.put('/api/channel/', { id, base_url: elsewhere.url, key: 'sk-other' })
  expect(await detail(root, id)).toMatchObject({ looked_at: 0, added: [] })
  expect(await look(id)).toMatchObject({ data: { added: [], others: [{ model: 'd' }] } })
  const { id: silent } = await makeChannel(root, { type: 15, key: 'ak|sk', models: 'ernie' })
  expect(await look(silent)).toMatchObject({ success: false, message: '该类型的渠道不支持查询模型列表' })
  expect(await look(999)).toMatchObject({ success: false })
})

test('many channels are spread over runs and checked a few at a time, each once', async () => {
  const { app, root, vendor } = await fixture(['a', 'b'])
  const keys = Array.from({ length: 49 }, (_, index) => `sk-${index}`)
  await root.post('/api/channel/', { name: 'many', type: 8, base_url: vendor.url, models: 'a', key: keys.join('\n') })
  for (const total of [20, 40, 50, 50]) {
    await runJob(app)
    expect(vendor.asked).toHaveLength(total)
  }
  expect(new Set(vendor.asked).size).toBe(50)
  expect(vendor.openMost()).toBeLessThanOrEqual(4)
})

test('deleting a channel deletes its list', async () => {
  const { app, root, id, nextDay } = await fixture(['a', 'b'])
  await nextDay()
  await root.delete(`/api/channel/${id}`)
  expect(await app.db.selectFrom('model_lists').select('channel_id').execute()).toEqual([])
})
