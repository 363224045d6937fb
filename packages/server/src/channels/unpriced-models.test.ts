import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { asRoot, makeAdmin, makeUser, setOptions } from '../testing/makers.ts'

const MODELS = 'gpt-4o,house-model,other-model'

test('a channel lists its unpriced models, wherever it is read [R1.14]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const made = await makeChannel(client, { name: 'priced', models: MODELS })
  expect(made.unpriced).toEqual(['house-model', 'other-model'])
  const answers = [
    (await client.get(`/api/channel/${made.id}`)).data,
    (await client.get('/api/channel/')).data[0],
    (await client.get('/api/channel/search?keyword=priced')).data[0],
    (await client.put('/api/channel/', { id: made.id, weight: 2 })).data,
  ]
  for (const { unpriced } of answers) expect(unpriced).toEqual(['house-model', 'other-model'])
  // Older consoles send back what they received.
  expect((await client.put('/api/channel/', { ...made, unpriced: [] })).success).toBe(true)
})

test('a price set by the operator removes the mark, for the model or for the model in this channel type', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { models: MODELS })
  const unpriced = async () => (await client.get(`/api/channel/${id}`)).data.unpriced
  await setOptions(app, { ModelRatio: '{"house-model": 2}' })
  expect(await unpriced()).toEqual(['other-model'])
  await setOptions(app, { ModelRatio: '{"other-model(8)": 1}' })
  expect(await unpriced()).toEqual(['house-model', 'other-model'])
  await setOptions(app, { ModelRatio: '{"house-model": 0, "other-model(1)": 1}' })
  expect(await unpriced()).toEqual([])
})

test('the sent model is priced: a mapped model has the price of its target', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const model_mapping = '{"house-model": "gpt-4o", "gpt-4o": "unheard-of"}'
  const { unpriced } = await makeChannel(client, { models: 'house-model,gpt-4o', model_mapping })
  expect(unpriced).toEqual(['gpt-4o'])
})

test('all models without a price are listed with the enabled channels that offer them [R1.14]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const one = await makeChannel(client, { models: MODELS })
  const two = await makeChannel(client, { models: 'other-model,o3' })
  const off = await makeChannel(client, { models: 'sleeping-model' })
  await client.put('/api/channel/', { id: off.id, status: 2 })
  // Sorted by channel, not by last change.
  await client.put('/api/channel/', { id: one.id, name: 'renamed' })
  expect((await client.get('/api/channel/unpriced')).data).toEqual([
    { model: 'house-model', channels: [one.id] },
    { model: 'other-model', channels: [one.id, two.id] },
  ])
})

test('a form can check before it saves; invalid requests and other roles are refused', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const ask = (body: object) => root.post('/api/channel/unpriced', body)
  const models = ['gpt-4o', 'house-model', 'mapped']
  const asked = await ask({ type: 1, models, model_mapping: '{"mapped":"gpt-4o"}' })
  expect(asked.data).toEqual(['house-model'])
  expect((await ask({ type: 1, models: [] })).data).toEqual([])
  for (const bad of [
    { type: 99, models },
    { type: 1 },
    { type: 1, models, model_mapping: '{' },
    { type: 1, models: [7] },
  ]) {
    expect((await ask(bad)).success).toBe(false)
  }
  const { client } = await makeUser(app)
  expect((await client.get('/api/channel/unpriced')).success).toBe(false)
})
