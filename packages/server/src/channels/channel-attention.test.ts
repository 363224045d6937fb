import { expect, setDefaultTimeout, test } from 'bun:test'
import { type ChannelAttention, REQUEST_ID } from '@tollgate/contract'
import { HOUR, MINUTE } from '../common/time-units.ts'
import { testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, setOptions } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

setDefaultTimeout(30_000)

const PRICED = '{"fault/server":1,"fault/bad-request":1,"say/2":1}'

test('a channel whose real calls fail needs attention, even if a retry saved every one of them', async () => {
  const { channel, chat, root } = await relayFixture({ options: { RetryTimes: 1, ModelRatio: PRICED } })
  const broken = await channel('m', { name: 'broken', priority: 9, model_mapping: '{"m":"fault/server"}' })
  const whole = await channel('m', { name: 'whole', model_mapping: '{"m":"say/2"}' })
  for (let call = 0; call < 3; call += 1) expect((await chat('m')).status).toBe(200)
  const { data } = await root.get('/api/channel/attention')
  expect(data).toMatchObject({ total: 2, enabled: 2, more_failures: false, day: { failed: 3, calls: 6, saved: 3 } })
  const found = data.channels.find(({ id }: ChannelAttention) => id === broken.id)
  expect(found).toMatchObject({
    ...{ reasons: ['failing'], recent: { failed: 3, calls: 3 }, day: { failed: 3, calls: 3, saved: 3 } },
    last_error: expect.stringMatching(/./),
    last_request_id: expect.stringMatching(REQUEST_ID),
  })
  expect(data.channels.map(({ id }: ChannelAttention) => id)).not.toContain(whole.id)
})

test('failures that a retry saved count for the whole day, as do answers that broke off', async () => {
  const { channel, chat, root, app } = await relayFixture({
    options: { RetryTimes: 1, ModelRatio: '{"fault/server":1,"fault/end-mid":1,"say/2":1}' },
  })
  const broken = await channel('m', { name: 'broken', priority: 9, model_mapping: '{"m":"fault/server"}' })
  const whole = await channel('m', { name: 'whole', model_mapping: '{"m":"say/2"}' })
  const cut = await channel('c', { name: 'cut', model_mapping: '{"c":"fault/end-mid"}' })
  for (let call = 0; call < 3; call += 1) expect((await chat('m')).status).toBe(200)
  await (await chat('c', { stream: true })).text()
  app.clock.pass(2 * HOUR)
  const dayOf = async () => {
    const { data } = await (await asRoot(app)).get('/api/channel/attention')
    const tell = ({ id, recent, day }: ChannelAttention) => [id, recent.calls, day]
    return { found: data.channels.map(tell), total: data.day }
  }
  expect(await dayOf()).toEqual({
    found: [
      [broken.id, 0, { failed: 3, calls: 3, saved: 3 }],
      [cut.id, 0, { failed: 1, calls: 1, saved: 0 }],
    ],
    total: { failed: 4, calls: 7, saved: 3 },
  })
  expect((await root.get('/api/channel/outcomes')).data).toEqual([
    { id: broken.id, recent: { failed: 0, calls: 0 }, day: { failed: 3, calls: 3, saved: 3 } },
    { id: whole.id, recent: { failed: 0, calls: 0 }, day: { failed: 0, calls: 3, saved: 0 } },
    { id: cut.id, recent: { failed: 0, calls: 0 }, day: { failed: 1, calls: 1, saved: 0 } },
  ])
  app.clock.pass(24 * HOUR)
  expect(await dayOf()).toEqual({ found: [], total: { failed: 0, calls: 0, saved: 0 } })
})

test('a caller’s own mistake is not held against the channel', async () => {
  const { channel, chat, root } = await relayFixture({ options: { ModelRatio: PRICED } })
  await channel('m', { model_mapping: '{"m":"fault/bad-request"}' })
  await chat('m')
  expect((await root.get('/api/channel/attention')).data).toMatchObject({ day: { failed: 0 }, channels: [] })
})

test('a client that leaves before the answer, and a restart of the gateway, are not held against the channel', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await setOptions(app, { ModelRatio: '{"m":1}' })
  const { id } = await makeChannel(root, { models: 'm' })
  const ended = { type: 6, channel: id, model_name: 'm', created_at: Math.floor(app.clock.now() / 1000) - MINUTE }
  const restart = JSON.stringify({ flag: 'restart', error: 'The gateway restarts' })
  await makeLogs(app, { ...ended, outcome: 'canceled' }, { ...ended, outcome: 'upstream_error', detail: restart })
  expect((await root.get('/api/channel/attention')).data).toMatchObject({ day: { failed: 0 }, channels: [] })
})

test('all channels are looked at, over a quarter of an hour and a day, and the answer is kept for some seconds', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await setOptions(app, { ModelRatio: '{"m":1}' })
  const ids: number[] = []
  for (let n = 0; n < 12; n += 1) ids.push((await makeChannel(root, { name: `c${n}`, models: 'm' })).id)
  const [old = 0, busy = 0, gone = 0] = ids
  const now = Math.floor(app.clock.now() / 1000)
  const failed = { type: 6, content_en: 'The call failed: no', model_name: 'm' }
  await makeLogs(
    app,
    { ...failed, channel: old, created_at: now - 5 * HOUR },
    { channel: old, created_at: now - 5 * HOUR, model_name: 'm' },
    { ...failed, channel: gone, created_at: now - 30 * HOUR },
    { ...failed, channel: busy, created_at: now - 2 * MINUTE },
    ...Array.from({ length: 20 }, (_, n) => ({ channel: busy, created_at: now - n, model_name: 'm' })),
  )
  const look = async () => (await root.get('/api/channel/attention')).data
  const first = await look()
  expect(first).toMatchObject({ total: 12, day: { failed: 2, calls: 23 } })
  expect(first.channels).toMatchObject([
    {
      id: old,
      reasons: ['failing'],
      recent: { failed: 0, calls: 0 },
      day: { failed: 1, calls: 2 },
      last_error_at: now - 5 * HOUR,
    },
  ])
  await root.put('/api/channel/', { id: old, status: 2 })
  expect(await look()).toEqual(first)
  app.clock.pass(11)
  expect((await look()).channels).toEqual([])
})

test('automatically disabled channels, low balances and unpriced models need attention; manually disabled channels do not', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await setOptions(app, { ModelRatio: '{"m":1}' })
  const make = async (name: string, models = 'm') =>
    (await makeChannel(root, { name, type: 8, base_url: 'https://a.example', models })).id
  const [disabled, resting, poor, rich, unpriced] = [
    ...[await make('disabled'), await make('resting'), await make('poor'), await make('rich')],
    await make('unpriced', 'm,nobody-knows-this'),
  ]
  const set = (id: number | undefined, columns: object) =>
    app.db
      .updateTable('channels')
      .set(columns)
      .where('id', '=', id ?? 0)
      .execute()
  await set(disabled, { status: 3, status_reason: '401 no' })
  await set(resting, { status: 2 })
  await set(poor, { balance: 0.5, balance_updated_time: 1 })
  await set(rich, { balance: 50, balance_updated_time: 1 })
  const { data } = await root.get('/api/channel/attention')
  const found = data.channels.map(({ id, reasons }: ChannelAttention) => [id, ...reasons])
  expect(found).toEqual([
    [disabled, 'disabled'],
    [poor, 'balance'],
    [unpriced, 'unpriced'],
  ])
  expect(data.channels[2].unpriced).toEqual(['nobody-knows-this'])
})

test('if answers are not logged, failures are reported without a percentage', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await setOptions(app, { LogConsumeEnabled: false, ModelRatio: '{"m":1}' })
  const { id } = await makeChannel(root, { models: 'm' })
  await makeLogs(app, { type: 6, channel: id, created_at: Math.floor(app.clock.now() / 1000) - MINUTE })
  const { data } = await root.get('/api/channel/attention')
  expect(data.channels).toMatchObject([{ id, recent: { failed: 1, calls: null } }])
})
