import { expect, onTestFinished, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeChannel, storedChannel } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { fakeUpstream } from '../testing/fake-upstream.ts'
import { asRoot, setOptions } from '../testing/makers.ts'

/** A vendor that takes ten seconds of the app's clock to answer. */
const slowVendor = (app: TestApp) => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      app.clock.pass(10)
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }]
      return Response.json({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices })
    },
  })
  onTestFinished(() => server.stop(true))
  return `http://127.0.0.1:${server.port}`
}

const vendor = () => {
  const upstream = fakeUpstream()
  onTestFinished(() => upstream.stop())
  return upstream
}

/** Polls the progress until the tests are done. */
const finished = async (root: Client) => {
  for (;;) {
    const { data } = await root.get('/api/channel/test_progress')
    if (!data.running) return data
  }
}

test('a test sends one chat, returns time and model, and stores both [R7.46]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const upstream = vendor()
  const { id } = await makeChannel(root, { type: 8, base_url: upstream.url, models: 'gpt-4o-mini' })
  const { body } = await root.get(`/api/channel/test/${id}/`)
  expect(body).toMatchObject({
    success: true,
    model: 'gpt-4o-mini',
    modelName: 'gpt-4o-mini',
    time: expect.any(Number),
  })
  expect(upstream.journal).toHaveLength(1)
  expect(upstream.journal[0]).toMatchObject({ path: '/v1/chat/completions', model: 'gpt-4o-mini' })
  const row = await storedChannel(app, id)
  expect(row.response_time).toBeGreaterThan(0)
  expect(row.test_time).toBeGreaterThan(0)
  const { data } = await root.get('/api/log/?type=5')
  expect(data).toMatchObject([{ type: 5, channel: id, model_name: 'gpt-4o-mini', quota: 0 }])
})

test('only chat models are tested: the requested one, gpt-3.5-turbo, else the first chat model [R9.09]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const base_url = vendor().url
  const test = async (models: string, asked = '') => {
    const { id } = await makeChannel(root, { type: 8, base_url, models })
    return (await root.get(`/api/channel/test/${id}?model=${asked}`)).body
  }
  expect(await test('text-embedding-3-small,gpt-4o,gpt-3.5-turbo')).toMatchObject({ model: 'gpt-3.5-turbo' })
  expect(await test('whisper-1,gpt-4o,gpt-4.1')).toMatchObject({ model: 'gpt-4o' })
  expect(await test('gpt-4o,gpt-4.1', 'gpt-4.1')).toMatchObject({ model: 'gpt-4.1' })
  expect(await test('gpt-4o', 'undefined')).toMatchObject({ model: 'gpt-4o' })
  expect(await test('tts-1,dall-e-3')).toMatchObject({ success: false, message: '该渠道没有可测试的对话模型' })
})

test('a failing test reports why and does not disable the channel [R7.46]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await setOptions(app, { AutomaticDisableChannelEnabled: true })
  const { id } = await makeChannel(root, { type: 8, base_url: vendor().url, models: 'fault/auth' })
  const { success, message } = await root.get(`/api/channel/test/${id}`)
  expect({ success, message }).toEqual({ success: false, message: '测试失败：Incorrect API key provided' })
  expect((await storedChannel(app, id)).status).toBe(1)
})

test('a full test disables a channel that is slower than the threshold, if the operator allows it [R2.65 R7.45]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const slow = await makeChannel(root, { type: 8, base_url: slowVendor(app), models: 'gpt-4o' })
  const quick = await makeChannel(root, { type: 8, base_url: vendor().url, models: 'gpt-4o' })
  await setOptions(app, { ChannelDisableThreshold: 5 })
  expect(await root.get('/api/channel/test?scope=all')).toMatchObject({ success: true })
  expect(await finished(root)).toMatchObject({ total: 2, done: 2, failed: 0 })
  expect((await storedChannel(app, slow.id)).status).toBe(1)

  await setOptions(app, { AutomaticDisableChannelEnabled: true })
  await root.get('/api/channel/test')
  await finished(root)
  expect(await storedChannel(app, slow.id)).toMatchObject({
    status: 3,
    status_reason: '响应时间 10000 毫秒，超过了 5000 毫秒',
    status_reason_en: 'It took 10000 ms to answer, longer than 5000 ms',
  })
  expect((await storedChannel(app, quick.id)).status).toBe(1)
})

test('testing the disabled channels enables those disabled automatically, never those disabled by a person [R7.45 R3.24]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const base_url = vendor().url
  const auto = await makeChannel(root, { type: 8, base_url, models: 'gpt-4o' })
  const manual = await makeChannel(root, { type: 8, base_url, models: 'gpt-4o' })
  await app.db.updateTable('channels').set({ status: 3, status_reason: 'slow' }).where('id', '=', auto.id).execute()
  await root.put('/api/channel/', { id: manual.id, status: 2 })
  await setOptions(app, { AutomaticEnableChannelEnabled: true })
  await root.get('/api/channel/test?scope=disabled')
  expect(await finished(root)).toMatchObject({ total: 2, done: 2, failed: 0 })
  expect(await storedChannel(app, auto.id)).toMatchObject({ status: 1, status_reason: '' })
  expect((await storedChannel(app, manual.id)).status).toBe(2)
})

test('a full test is shared by all nodes: each reports its progress, and none starts a second one', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const upstream = vendor()
  await makeChannel(root, { type: 8, base_url: upstream.url, models: 'gpt-4o-mini' })
  await makeChannel(root, { type: 8, base_url: upstream.url, models: 'fault/hang' })
  const other = await asRoot(await testApp({ location: app.location }))
  expect(await root.get('/api/channel/test')).toMatchObject({ success: true })
  await upstream.received(2)
  for (const node of [root, other]) {
    expect((await node.get('/api/channel/test_progress')).data).toEqual({ running: true, total: 2, done: 1, failed: 0 })
    expect(await node.get('/api/channel/test')).toMatchObject({ success: false, message: '测试已在运行中' })
  }
  await upstream.stop()
  const after = { running: false, total: 2, done: 2, failed: 1 }
  expect([await finished(root), await finished(other)]).toEqual([after, after])
  expect(await other.get('/api/channel/test')).toMatchObject({ success: true })
  await finished(other)
})

test('a run of a dead node is given up, and another node may start a new one', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await makeChannel(root, { type: 8, base_url: vendor().url, models: 'gpt-4o-mini' })
  // The state after a process dies in the middle: its row, and no lock.
  const value = JSON.stringify({ total: 9, done: 4, failed: 0 })
  await app.db.insertInto('meta').values({ key: 'run channel tests', value }).execute()
  const left = { running: false, total: 9, done: 4, failed: 0 }
  expect((await root.get('/api/channel/test_progress')).data).toEqual(left)
  expect(await root.get('/api/channel/test')).toMatchObject({ success: true })
  expect(await finished(root)).toEqual({ running: false, total: 1, done: 1, failed: 0 })
})

test("a vendor's models can be fetched, with the differences", async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeChannel(root, { type: 8, base_url: vendor().url, models: 'gpt-4o-mini,gone' })
  const { data } = await root.get(`/api/channel/fetch_models/${id}`)
  expect(data).toMatchObject({ missing: ['gone'] })
  expect(data.models).toContain('gpt-4o-mini')
})

test('a type without a balance reports that [R7.47]', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeChannel(root, { type: 14, models: 'claude-sonnet-4-5' })
  expect(await root.get(`/api/channel/update_balance/${id}/`)).toMatchObject({
    success: false,
    message: '该类型的渠道不支持查询余额',
  })
})

test('routing explains in advance which channel it would choose, at what price, and why not the others', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const open = await makeChannel(root, { type: 1, models: 'gpt-4o-mini', priority: 5 })
  const closed = await makeChannel(root, { type: 1, models: 'gpt-4o-mini', group: 'vip' })
  const { data } = await root.get('/api/channel/explain?group=default&model=gpt-4o-mini')
  expect(data.considered).toMatchObject([{ channel: open.id, priority: 5, price: { source: 'library' } }])
  expect(data.excluded).toEqual([{ channel: closed.id, name: 'a channel', excluded: 'not open to the group' }])
})

test('the price in the preview includes the tiers of long calls', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await makeChannel(root, { type: 24, models: 'gemini-2.5-pro,gemini-2.5-flash' })
  const priceOf = async (model: string) =>
    (await root.get(`/api/channel/explain?group=default&model=${model}`)).data.considered[0].price
  expect(await priceOf('gemini-2.5-pro')).toEqual({
    ...{ source: 'library', input: '0.625', output: '5' },
    tiers: [{ above: 200_000, input: '1.25', output: '7.5' }],
  })
  expect(await priceOf('gemini-2.5-flash')).toMatchObject({ tiers: [] })
})
