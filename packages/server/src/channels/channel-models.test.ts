import { expect, test } from 'bun:test'
import { CHANNEL_TYPES, channels } from '@tollgate/contract'
import { typesWithoutList } from '../catalog/known-models.ts'
import { testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { asRoot, makeAdmin, makeUser } from '../testing/makers.ts'

test('the known models are a list of objects with an id, each once, in OpenAI’s format [R7.48]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { success, body, data } = await client.get('/api/channel/models')
  expect({ success, object: body.object }).toEqual({ success: true, object: 'list' })
  expect(data.length).toBeGreaterThan(100)
  const keys = CHANNEL_TYPES.map(({ key }) => key)
  for (const model of data) {
    expect(model).toEqual({ id: expect.any(String), object: 'model', owned_by: expect.any(String) })
    expect(keys).toContain(model.owned_by)
  }
  const ids = data.map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain('gpt-4o')
})

test('the default models are a list for each type, empty if a type has none [R7.49]', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data } = await client.get('/api/models')
  expect(Object.keys(data).map(Number)).toEqual(CHANNEL_TYPES.map(({ value }) => value))
  for (const models of Object.values(data)) {
    expect(Array.isArray(models)).toBe(true)
    expect(models).toEqual([...new Set(models as string[])])
  }
  expect(data[34]).toEqual([])
  expect(data[43]).toEqual([])
  expect(data[1]).toContain('gpt-4o')
  const without = CHANNEL_TYPES.filter(({ value }) => data[value].length === 0).map(({ key }) => key)
  // Bots are the operator's own, a proxy has no models, models on one's own machines are unknown, and for the models of some vendors no
  // price is known.
  expect(without).toEqual([
    ...['palm', 'zhinao', 'ollama', 'coze', 'deepl', 'proxy'],
    ...['openai-compatible', 'vllm', 'lm-studio'],
  ])
})

test('a type offers its own models, never those that only OpenAI has', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data } = await client.get('/api/models')
  const offering = CHANNEL_TYPES.filter(({ value }) => data[value].includes('gpt-3.5-turbo')).map(({ key }) => key)
  const resellers = CHANNEL_TYPES.filter(({ kind, key }) => kind === 'reseller' && !NAMED_BY_MAKER.includes(key))
  const expected = ['openai', 'azure', 'custom', 'aiproxy-library', 'fastgpt', ...resellers.map(({ key }) => key)]
  expect(offering.toSorted()).toEqual(expected.toSorted())
})

/** They resell models of all vendors, as `maker/model`. */
const NAMED_BY_MAKER = ['openrouter', 'vercel']

test('every default model of a type has a price, and every type declares its models, even if none', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { data, body } = await root.get('/api/models')
  const named = Object.entries(channels.modelsByType.extra.parse(body).unpriced)
  expect(named.filter(([, models]) => models.length > 0)).toEqual([])
  expect(typesWithoutList().map(({ key }) => key)).toEqual([])
  for (const { value, hasModels } of CHANNEL_TYPES) {
    if (!hasModels) continue
    const asked = await root.post('/api/channel/unpriced', { type: value, models: data[value], model_mapping: '' })
    expect(asked.data).toEqual([])
  }
})

test('retired models are not offered by default', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data } = await client.get('/api/models')
  const retired: [number, string[]][] = [
    [1, ['gpt-4-32k', 'gpt-4-vision-preview', 'text-davinci-003', 'o1-preview', 'gpt-4.5-preview', 'dall-e-2']],
    [14, ['claude-2', 'claude-3-opus-latest', 'claude-3-5-sonnet', 'claude-3-7-sonnet-latest']],
    [24, ['gemini-pro', 'gemini-1.5-pro', 'gemini-2.0-flash', 'gemini-3-pro-preview']],
    [25, ['kimi-k2-0711-preview']],
    [28, ['mistral-tiny', 'open-mistral-7b']],
    [29, ['mixtral-8x7b-32768', 'llama3-70b-8192']],
    [36, ['deepseek-chat', 'deepseek-reasoner']],
    [39, ['meta-llama/Llama-2-70b-chat-hf']],
    [45, ['grok-2-1212', 'grok-beta']],
  ]
  for (const [type, models] of retired) for (const model of models) expect(data[type]).not.toContain(model)
  const current: [number, string][] = [
    [1, 'gpt-6-sol'],
    [14, 'claude-opus-5-5'],
    [16, 'glm-5.3'],
    [20, 'openai/gpt-6-sol'],
    [24, 'gemini-3.8-flash'],
    [25, 'kimi-k3'],
    [36, 'deepseek-v4-pro'],
    [45, 'grok-4.6'],
    [53, 'accounts/fireworks/models/kimi-k3'],
  ]
  for (const [type, model] of current) expect(data[type]).toContain(model)
})

test('a user sees the models that enabled channels offer to any of their groups, sorted, without duplicates [R3.04 R7.22]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeChannel(client, { models: 'z-model,a-model', group: 'default' })
  await makeChannel(client, { models: 'vip-model,a-model', group: 'vip,svip' })
  await makeChannel(client, { models: 'svip-model', group: 'svip' })
  const { id } = await makeChannel(client, { models: 'switched-off', group: 'default,vip,svip' })
  await client.put('/api/channel/', { id, status: 2 })

  const models = async (group: string) =>
    (await (await makeUser(app, { group })).client.get('/api/user/available_models')).data
  expect(await models('default')).toEqual(['a-model', 'z-model'])
  expect(await models('vip')).toEqual(['a-model', 'vip-model'])
  expect(await models('svip,default')).toEqual(['a-model', 'svip-model', 'vip-model', 'z-model'])
  expect(await models('nobody')).toEqual([])
  const user = await makeUser(app)
  await app.db.updateTable('users').set({ group: '' }).where('id', '=', user.id).execute()
  expect((await user.client.get('/api/user/available_models')).data).toEqual(['a-model', 'z-model'])
})
