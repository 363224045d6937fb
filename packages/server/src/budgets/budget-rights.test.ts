import { expect, setDefaultTimeout, test } from 'bun:test'
import { budgetFixture, DAILY, keyId, makeBudget, PRICE } from '../testing/budget-fixture.ts'
import type { Client } from '../testing/client.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

// Hundreds of calls, possibly on a busy machine.
setDefaultTimeout(120_000)

test('keys of the same name are told apart by their owners, and one’s own has none beside it', async () => {
  const { app, root, payer } = await budgetFixture()
  const other = await makeUser(app)
  for (const { client } of [payer, other]) {
    const [{ id }] = (await client.get('/api/token/')).data
    await makeBudget(client, { scope: 'key', target: String(id) })
  }
  await makeBudget(root, { scope: 'user', target: String(payer.id) })
  const named = async (client: Client, path: string) =>
    (await client.get(path)).data.map(({ target_name, owner }: Record<string, string>) => [target_name, owner])
  expect(await named(root, '/api/budget/')).toEqual([
    [payer.username, ''],
    ['default', other.username],
    ['default', payer.username],
  ])
  expect(await named(other.client, '/api/budget/self')).toEqual([['default', '']])
})

test('an owner sets budgets only for their own keys, and cannot see or change those of others', async () => {
  const world = await budgetFixture()
  const { app, payer, root } = world
  const target = await keyId(world)
  const own = await makeBudget(payer.client, { scope: 'key', target })
  const managed = await makeBudget(root, { scope: 'key', target, quota: 3 * PRICE })
  const group = await makeBudget(root, { scope: 'group', target: 'default' })
  const listed = (await payer.client.get('/api/budget/self')).data.map(({ id }: { id: number }) => id)
  expect(listed.toSorted()).toEqual([own, managed, group].toSorted())
  expect((await payer.client.get('/api/budget/')).success).toBe(false)
  expect(await payer.client.put('/api/budget/', { ...DAILY, id: own, quota: 9 })).toMatchObject({ data: { quota: 9 } })
  expect(await payer.client.put('/api/budget/', { ...DAILY, id: managed })).toMatchObject(refused('budget.managed'))
  expect(await payer.client.delete(`/api/budget/${group}`)).toMatchObject(refused('budget.managed'))
  for (const scope of ['user', 'group', 'channel']) {
    expect(await payer.client.post('/api/budget/', { ...DAILY, scope, target: '1' })).toMatchObject(
      refused('budget.own_keys_only'),
    )
  }
  const stranger = await makeUser(app)
  for (const answer of [
    await stranger.client.get(`/api/budget/${own}`),
    await stranger.client.put('/api/budget/', { ...DAILY, id: own }),
    await stranger.client.delete(`/api/budget/${own}`),
  ]) {
    expect(answer).toMatchObject(refused('budget.not_found'))
  }
  expect(await stranger.client.post('/api/budget/', { ...DAILY, scope: 'key', target })).toMatchObject(
    refused('budget.no_target'),
  )
})

test('an administrator limits users of a lower rank and own keys; root limits everybody', async () => {
  const { app, root, payer } = await budgetFixture()
  const [boss, peer] = [await makeAdmin(app), await makeAdmin(app)]
  const keyOf = async (client: Client) => String((await client.get('/api/token/')).data[0].id)
  const targets = {
    root: [1, await keyOf(root)],
    peer: [peer.id, await keyOf(peer.client)],
    self: [boss.id, await keyOf(boss.client)],
    payer: [payer.id, await keyOf(payer.client)],
  }
  const limit = (client: Client, scope: string, target: unknown) =>
    client.post('/api/budget/', { ...DAILY, scope, target: String(target) })
  for (const [user, key] of [targets.root, targets.peer]) {
    expect(await limit(boss.client, 'user', user)).toMatchObject(refused('user.rank'))
    expect(await limit(boss.client, 'key', key)).toMatchObject(refused('user.rank'))
  }
  expect(await limit(boss.client, 'user', boss.id)).toMatchObject(refused('user.rank'))
  const own = await makeBudget(boss.client, { scope: 'key', target: targets.self[1] })
  expect(await boss.client.put('/api/budget/', { ...DAILY, id: own, quota: 7 })).toMatchObject({ success: true })
  for (const [scope, target] of [
    ['user', targets.payer[0]],
    ['key', targets.payer[1]],
    ['group', 'default'],
  ] as const) {
    const id = await makeBudget(boss.client, { scope, target: String(target) })
    expect(await boss.client.delete(`/api/budget/${id}`)).toMatchObject({ success: true })
  }
  // What root has set for an administrator stays.
  for (const [scope, target, refusal] of [
    ['user', targets.self[0], 'user.rank'],
    ['key', targets.self[1], 'budget.managed'],
    ['key', targets.root[1], 'user.rank'],
  ] as const) {
    const id = await makeBudget(root, { scope, target: String(target) })
    expect(await boss.client.put('/api/budget/', { ...DAILY, id, quota: 9 })).toMatchObject(refused(refusal))
    expect(await boss.client.delete(`/api/budget/${id}`)).toMatchObject(refused(refusal))
    expect(await root.delete(`/api/budget/${id}`)).toMatchObject({ success: true })
  }
})

test('bad input is refused with a message: amounts, zones, targets, and too many budgets for a target', async () => {
  const { root, payer } = await budgetFixture()
  const target = { scope: 'user', target: String(payer.id) }
  const post = (fields: object) => root.post('/api/budget/', { ...DAILY, ...target, ...fields })
  for (const quota of [0, -1]) {
    expect(await post({ quota })).toMatchObject({ success: false, message: '额度不能小于 1', body: { field: 'quota' } })
  }
  for (const fields of [{ quota: 0 }, { quota: -1 }, { quota: 1.5 }, { period: 'year' }, { raise_quota: -1 }]) {
    expect((await post(fields)).success).toBe(false)
  }
  expect(await post({ zone: 'Europe/Nowhere' })).toMatchObject(refused('budget.bad_zone', { zone: 'Europe/Nowhere' }))
  for (const missing of [
    { target: '99999' },
    { target: 'x' },
    { scope: 'group', target: 'nobody' },
    { scope: 'channel', target: '7' },
  ]) {
    expect(await post(missing)).toMatchObject(refused('budget.no_target'))
  }
  for (let made = 0; made < 20; made++) expect((await post({})).success).toBe(true)
  expect(await post({})).toMatchObject(refused('budget.too_many', { max: 20 }))
})

test('two people who change different parts of a budget do not undo each other', async () => {
  const { app, payer } = await budgetFixture()
  const admin = await makeAdmin(app)
  const made = { rolling: true, period: 'week', raise_quota: 9, raise_until: 99_999_999_999 }
  const id = await makeBudget(admin.client, { scope: 'user', target: String(payer.id), ...made })
  const change = async (fields: object) => (await admin.client.put('/api/budget/', { id, ...fields })).data
  expect(await change({ quota: 7 })).toMatchObject({ ...made, quota: 7, zone: 'Europe/Berlin' })
  expect(await change({ rolling: false })).toMatchObject({ ...made, quota: 7, rolling: false })
  expect(await change({ zone: 'UTC', raise_quota: 0 })).toMatchObject({
    quota: 7,
    period: 'week',
    zone: 'UTC',
    raise_quota: 0,
  })
  expect(await admin.client.put('/api/budget/', { id, zone: 'Mars/Olympus' })).toMatchObject({ success: false })
  expect(await change({})).toMatchObject({ quota: 7, period: 'week', zone: 'UTC' })
})

test('every change of a budget is in the audit log, and administrators list budgets by target', async () => {
  const { app, payer } = await budgetFixture()
  const admin = await makeAdmin(app)
  const id = await makeBudget(admin.client, { scope: 'user', target: String(payer.id) })
  await admin.client.put('/api/budget/', { ...DAILY, id, quota: 7 })
  const { data, headers } = await admin.client.get(`/api/budget/?scope=user&target=${payer.id}`)
  expect(data).toMatchObject([{ id, quota: 7, target_name: payer.username }])
  expect(headers.get('x-total-count')).toBe('1')
  await admin.client.delete(`/api/budget/${id}`)
  const events = (await admin.client.get(`/api/audit?target=budget:${id}`)).data
  expect(events.map(({ action }: { action: string }) => action)).toEqual([
    'budget.remove',
    'budget.update',
    'budget.create',
  ])
})
