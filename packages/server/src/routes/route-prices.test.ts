import { expect, setDefaultTimeout, test } from 'bun:test'
import type { ModelPrice } from '@tollgate/contract'
import { relayFixture } from '../testing/relay-fixture.ts'
import { viewOf } from '../testing/route-views.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const WHOLE = 'say/5'

test('a user sees the models of their groups with the prices that they would be charged, aliases too', async () => {
  const { app, channel, payer, root } = await relayFixture()
  await channel('gpt-4o-mini,tollgate-unpriced', { priority: 5 })
  await channel('gpt-4o-mini', { model_mapping: JSON.stringify({ 'gpt-4o-mini': 'gpt-4o' }) })
  await channel('gpt-4o', { group: 'vip' })
  await root.put('/api/option/', { key: 'GroupRatio', value: '{"default":2,"vip":1}' })
  await root.put('/api/option/', { key: 'ModelAliases', value: '{"fast":"gpt-4o-mini","gone":"nobody-has-it"}' })
  const { data, headers } = await payer.client.get('/api/route/prices?p=0')
  expect(headers.get('x-total-count')).toBe('3')
  expect(data.map(({ model }: { model: string }) => model)).toEqual(['fast', 'gpt-4o-mini', 'tollgate-unpriced'])
  const [alias, mini, unpriced] = data
  expect(alias).toEqual({ ...mini, model: 'fast', alias_of: 'gpt-4o-mini' })
  expect(mini).toMatchObject({ alias_of: '', group: 'default' })
  // At twice the list price, per million: of the channel that is tried first, then of the other's model.
  expect(mini.prices).toMatchObject([
    { unit: 'tokens', input: 150_000, cached: 75_000, output: 600_000 },
    { unit: 'tokens', input: 2_500_000, cached: 1_250_000, output: 10_000_000 },
  ])
  expect(unpriced.prices).toMatchObject([{ source: 'default' }])
  expect((await payer.client.get('/api/route/prices?keyword=UNPRICED&p=0')).data).toEqual([unpriced])
  expect((await payer.client.get('/api/route/prices?p=1')).data).toEqual([])

  // An administrator sees what every group pays, and a list of groups is tried in order.
  const pricesOf = async (group: string) => {
    const answer = await root.get(`/api/route/group_prices?p=0&group=${group}`)
    return answer.data.map(({ model, group: served, prices }: ModelPrice) => [model, served, prices[0]?.input])
  }
  expect(await pricesOf('default')).toEqual(
    data.map(({ model, group, prices }: ModelPrice) => [model, group, prices[0]?.input]),
  )
  expect(await pricesOf('vip')).toEqual([['gpt-4o', 'vip', 1_250_000]])
  expect((await pricesOf('vip,default')).map(([model, served]: string[]) => `${model} ${served}`)).toEqual([
    'fast default',
    'gpt-4o vip',
    'gpt-4o-mini default',
    'tollgate-unpriced default',
  ])
  expect(await pricesOf('nobody')).toEqual([])
  // A user without a group is in the default one.
  await app.db.updateTable('users').set({ group: '' }).where('id', '=', payer.id).execute()
  expect((await payer.client.get('/api/route/prices?p=0')).data).toEqual(data)
  expect(await app.audit()).toEqual([])
})

test('the price of a model that is not sold by the token is that of its unit', async () => {
  const SOLD: [model: string, type: number, unit: string, quota: number][] = [
    ['sora-2', 1, 'second', 50_000],
    ['sora-2-pro', 1, 'second', 150_000],
    ['dall-e-3', 1, 'image', 20_000],
    ['tts-1', 1, 'characters', 7_500_000],
    ['rerank-v3.5', 35, 'search', 1000],
    ['gpt-4o', 1, 'tokens', 0],
    ['a-model-of-our-own', 8, 'tokens', 0],
  ]
  const { root, channel } = await relayFixture({ options: { GroupRatio: '{"default":1,"double":2}' } })
  for (const [model, type, unit, quota] of SOLD) {
    await channel(model, { type, group: 'default,double' })
    for (const [group, factor] of [
      ['default', 1],
      ['double', 2],
    ] as const) {
      const { levels } = await viewOf(root, group, model)
      expect([model, levels[0].channels[0].price]).toEqual([
        model,
        expect.objectContaining({ unit, each: quota * factor }),
      ])
    }
  }
})

test('a price is what a million tokens cost the group', async () => {
  const { root, channel } = await relayFixture({
    options: { ModelRatio: '{"say/5":2}', CompletionRatio: '{"say/5":3}', GroupRatio: '{"default":1.5}' },
  })
  await channel(WHOLE)
  const { levels } = await viewOf(root)
  expect(levels[0].channels[0].price).toMatchObject({ input: 3_000_000, output: 9_000_000, request: 0 })
})

test('a model priced per piece shows it as the price of a call', async () => {
  const { root, channel } = await relayFixture({ options: { GroupRatio: '{"default":2}' } })
  await channel('mj_imagine', { type: 61 })
  const { levels } = await viewOf(root, 'default', 'mj_imagine')
  expect(levels[0].channels[0].price).toMatchObject({ source: 'library', input: 0, output: 0, request: 100_000 })
})
