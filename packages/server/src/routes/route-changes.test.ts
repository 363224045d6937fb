import { expect, setDefaultTimeout, test } from 'bun:test'
import { DRAWS_MAX, PLACES_MAX } from '@tollgate/contract'
import { storedChannel } from '../testing/channel-makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { named, viewOf } from '../testing/route-views.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const WHOLE = 'say/5'

test('an order is changed all or nothing, after a preview of the changes here and elsewhere', async () => {
  const { app, root, channel } = await relayFixture()
  const one = await channel(`${WHOLE},more`, { name: 'one' })
  const other = await channel(`${WHOLE},more`, { name: 'other', group: 'default,vip' })
  const change = (id: number, priority: number, weight: number, seen = { priority: 0, weight: 0 }) => ({
    ...{ id, priority, weight, seen },
  })
  const send = (changes: object[], preview: boolean) =>
    root.put('/api/route/', { group: 'default', model: WHOLE, changes, preview })
  const changes = [change(one.id, 5, 2), change(other.id, 0, 0)]
  const { data } = await send(changes, true)
  expect(data).toEqual({
    changed: [{ id: one.id, name: 'one', before: { priority: 0, weight: 0 }, after: { priority: 5, weight: 2 } }],
    elsewhere: [{ group: 'default', model: 'more' }],
    elsewhere_count: 1,
  })
  expect(await storedChannel(app, one.id)).toMatchObject({ priority: 0, weight: 0 })

  expect((await send(changes, false)).data).toEqual(data)
  expect(await storedChannel(app, one.id)).toMatchObject({ priority: 5, weight: 2 })
  expect(named((await viewOf(root)).levels)).toEqual([[['one', 1]], [['other', 1]]])
  const { data: events } = await root.get(`/api/audit/?target=channel:${one.id}`)
  expect(events[0]).toMatchObject({ action: 'channel.update' })

  // Another administrator still sees the previous order.
  const late = await send([change(other.id, 7, 0), change(one.id, 1, 1)], false)
  expect(late).toMatchObject({ success: false, message: '渠道 one 的优先级或权重刚刚被修改，请刷新后重试' })
  expect(await storedChannel(app, other.id)).toMatchObject({ priority: 0, weight: 0 })
})

test('invalid changes are refused, and nothing changes', async () => {
  const { app, root, channel } = await relayFixture()
  const { id } = await channel(WHOLE)
  const seen = { priority: 0, weight: 0 }
  const refused = async (body: object) => {
    const answer = await root.put('/api/route/', { group: 'default', model: WHOLE, preview: false, ...body })
    expect(answer.success).toBe(false)
    return answer.message
  }
  for (const changes of [
    [],
    [{ id, priority: 0, weight: -1, seen }],
    [{ id, priority: 0.5, weight: 0, seen }],
    [{ id, priority: 0, weight: 2_000_000_000, seen }],
    [{ id, priority: 0, weight: 1 }],
    [{ id: 0, priority: 0, weight: 1, seen }],
    'all',
  ]) {
    await refused({ changes })
  }
  const change = { id, priority: 1, weight: 1, seen }
  expect(await refused({ changes: [change, change] })).toContain('同一个渠道只能出现一次')
  expect(await refused({ changes: [change, { ...change, id: 999_999 }] })).toContain('1 个渠道已不存在')
  expect(await storedChannel(app, id)).toMatchObject({ priority: 0, weight: 0 })
  for (const query of [
    'model=m',
    'group=default',
    `group=default&model=${'m'.repeat(300)}`,
    'group=d&model=m&path=/x',
  ]) {
    expect(await root.get(`/api/route/?${query}`)).toMatchObject({ success: false })
  }
  for (const body of [{ draws: 0 }, { draws: DRAWS_MAX + 1 }, { model: '' }, { changes: [{ id, priority: 1 }] }]) {
    const asked = { group: 'default', model: WHOLE, ...body }
    expect(await root.post('/api/route/dry_run', asked)).toMatchObject({ success: false })
  }
  // An unknown group or model is a route without channels.
  expect(await viewOf(root, 'nobody')).toMatchObject({ levels: [], left_out: [{ reason: 'other_group' }] })
  expect(await viewOf(root, 'default', 'nothing')).toMatchObject({ levels: [], left_out: [], others: 1 })
  expect((await root.get('/api/route/models?group=nobody')).data).toEqual([])
})

test('of administrators who set policies at the same moment none undoes another, and the second of one route is told', async () => {
  const { root } = await relayFixture()
  const seen = { policy: 'in_order', affinity: false }
  const set = (group: string, policy: string) =>
    root.put('/api/route/policy', { group, model: 'm', policy, affinity: false, seen }, { 'accept-language': 'en' })
  const groups = ['a', 'b', 'c', 'd', 'e']
  const answers = await Promise.all(groups.map((group) => set(group, 'cheapest')))
  expect(answers.map(({ success }) => success)).toEqual(groups.map(() => true))
  for (const group of groups) expect(await viewOf(root, group, 'm')).toMatchObject({ policy: 'cheapest' })
  // The other one has seen the order from before; the same choice is no conflict.
  expect((await set('a', 'balanced')).message).toContain('Another administrator has changed')
  expect(await set('a', 'cheapest')).toMatchObject({ success: true })
  expect(await viewOf(root, 'a', 'm')).toMatchObject({ policy: 'cheapest' })
})

test('a policy is set for a group and a model, shown with its order, and followed by calls', async () => {
  const { root, channel, chat, logs } = await relayFixture({ options: { ModelRatio: '{"say/5":9,"say/6":1}' } })
  await channel('m', { name: 'dear', priority: 9, model_mapping: '{"m":"say/5"}' })
  const cheap = await channel('m', { name: 'cheap', model_mapping: '{"m":"say/6"}' })
  expect(await viewOf(root, 'default', 'm')).toMatchObject({ policy: 'in_order', affinity: false })
  const set = (body: object) => root.put('/api/route/policy', { group: 'default', model: 'm', ...body })
  expect(await set({ policy: 'cheapest', affinity: true })).toMatchObject({ success: true })
  const view = await viewOf(root, 'default', 'm')
  expect(view).toMatchObject({ policy: 'cheapest', affinity: true })
  expect(named(view.levels)).toEqual([[['cheap', 1]], [['dear', 1]]])
  await chat('m')
  expect((await logs())[0]).toMatchObject({ channel: cheap.id, detail: { candidates: { policy: 'cheapest' } } })
  // Setting it again replaces it, and leaves others unchanged.
  await set({ group: 'vip', policy: 'balanced' })
  await set({ policy: 'in_order' })
  const { data } = await root.get('/api/option/')
  const { value } = data.find(({ key }: { key: string }) => key === 'RoutingPolicies')
  expect(JSON.parse(value)).toEqual([
    { group: 'default', model: 'm', policy: 'in_order', affinity: false },
    { group: 'vip', model: 'm', policy: 'balanced', affinity: false },
  ])
  expect(await set({ policy: 'fastest' })).toMatchObject({ success: false })
  expect(await set({ policy: 'balanced', model: '' })).toMatchObject({ success: false })
  // The several groups of a user: such a rule would never apply.
  expect(await set({ policy: 'balanced', group: 'vip,default' })).toMatchObject({ success: false })
})

test('a channel that is being edited shows its future place, for each group and model', async () => {
  const { app, root, channel } = await relayFixture()
  await channel('a,b', { name: 'first', priority: 5 })
  const second = await channel('a', { name: 'second', weight: 1 })
  const place = async (body: object) =>
    (
      await root.post('/api/route/placement', {
        ...{ type: 1, groups: ['default', 'vip'], models: ['a', 'b'], priority: 0, weight: 3 },
        ...body,
      })
    ).data
  expect(await place({})).toEqual({
    places: [
      { group: 'default', model: 'a', level: 2, levels: 2, share: 0.75, beside: 1, names: ['second'] },
      { group: 'default', model: 'b', level: 2, levels: 2, share: 1, beside: 0, names: [] },
      { group: 'vip', model: 'a', level: 1, levels: 1, share: 1, beside: 0, names: [] },
      { group: 'vip', model: 'b', level: 1, levels: 1, share: 1, beside: 0, names: [] },
    ],
    more: 0,
  })
  // A channel that is being edited occurs once, in its new place.
  const edited = await place({ id: second.id, groups: ['default'], models: ['a'], priority: 9, weight: 0 })
  expect(edited.places).toEqual([{ group: 'default', model: 'a', level: 1, levels: 2, share: 1, beside: 0, names: [] }])
  // For the price order the mapped model counts, as soon as the mapping is valid.
  await root.put('/api/option/', { key: 'ModelRatio', value: '{"a":5,"little":1}' })
  await root.put('/api/route/policy', { group: 'default', model: 'a', policy: 'cheapest' })
  const mapped = async (model_mapping: string) =>
    (await place({ groups: ['default'], models: ['a'], model_mapping })).places[0].level
  expect(await mapped('{"a":"little"}')).toBe(1)
  expect(await mapped('{"a":')).toBe(2)
  const many = await place({ groups: ['default'], models: Array.from({ length: 300 }, (_, n) => `m${n}`) })
  expect(many).toMatchObject({ more: 300 - PLACES_MAX })
  expect(many.places).toHaveLength(PLACES_MAX)
  expect(await place({ models: [] })).toEqual({ places: [], more: 0 })
  expect(await app.db.selectFrom('channels').select('id').execute()).toHaveLength(2)
})
