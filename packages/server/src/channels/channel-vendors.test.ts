import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { asRoot } from '../testing/makers.ts'
import { replayedVendors } from '../testing/replayed-vendors.ts'

setDefaultTimeout(30_000)

/* Every channel type from the form's fields to the vendor's API: a test, a balance, a model list. */

const fixture = async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const vendors = replayedVendors()
  onTestFinished(() => vendors.stop())
  const defaults: Record<string, string[]> = (await root.get('/api/models')).data
  const channel = (type: number, fields: Record<string, unknown> = {}) =>
    makeChannel(root, {
      ...vendors.fieldsOf(type),
      models: defaults[type]?.join(',') || (type === 43 ? '' : 'a-model'),
      ...fields,
    })
  return { root, vendors, channel }
}

/** The path and model of a type's chats, if not OpenAI's `/v1/chat/completions`. */
const CHATS: Record<string, string> = {
  azure: '/openai/deployments/gpt-35-turbo/chat/completions',
  anthropic: '/v1/messages',
  baidu: '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro',
  zhipu: '/api/paas/v4/chat/completions',
  qwen: '/api/v1/services/aigc/multimodal-generation/generation',
  spark: '/v1.1/chat',
  'aiproxy-library': '/api/library/ask',
  hunyuan: '/',
  gemini: '/v1beta/models/gemini-2.5-flash:generateContent',
  minimax: '/v1/text/chatcompletion_v2',
  ollama: '/api/chat',
  aws: '/model/global.anthropic.claude-opus-5-5/converse',
  coze: '/v3/chat',
  cohere: '/v2/chat',
  cloudflare: '/client/v4/accounts/the-user/ai/v1/chat/completions',
  deepl: '/v2/translate',
  doubao: '/api/v3/chat/completions',
  novita: '/chat/completions',
  vertex: '/v1/projects/the-project/locations/us-central1/publishers/anthropic/models/claude-fable-5:rawPredict',
  replicate: '/v1/models/openai/gpt-oss-120b/predictions',
  'baidu-v2': '/v2/chat/completions',
  bailian: '/compatible-mode/v1/chat/completions',
  'openai-compatible': '/chat/completions',
  'gemini-openai': '/chat/completions',
  perplexity: '/chat/completions',
  deepinfra: '/chat/completions',
}

/** All types, a dozen at a time: sixty in one test would be too long to read when it fails. */
const DOZENS = Array.from({ length: Math.ceil(CHANNEL_TYPES.length / 12) }, (_, index) => {
  const types = CHANNEL_TYPES.slice(index * 12, (index + 1) * 12)
  return [`${types[0]?.value} to ${types.at(-1)?.value}`, types] as const
})

test.each(DOZENS)(
  'a channel is tested by a chat with one of its own models, in its vendor’s format: types %s [R9.09]',
  async (_, dozen) => {
    const { root, vendors, channel } = await fixture()
    const outcomes: unknown[] = []
    const types = dozen.filter(({ key }) => !UNTESTED.includes(key))
    for (const { value, key } of types) {
      const { id } = await channel(value, value === 21 ? { other: 'lib-1' } : {})
      const { success, message } = await root.get(`/api/channel/test/${id}`)
      const chats = vendors.journal.filter(({ type, path }) => type === value && !path.endsWith('/token'))
      outcomes.push({ key, success, message, paths: chats.map(({ path }) => path) })
    }
    const wanted = types.map(({ key }) => ({
      key,
      success: true,
      message: expect.any(String),
      paths: [CHATS[key] ?? '/v1/chat/completions'],
    }))
    expect(outcomes).toEqual(wanted)
  },
)

/** Types that cannot be tested by a chat: see the next test. */
const UNTESTED = ['palm', 'proxy', 'midjourney']

test('a type without chats reports that instead of failing at the vendor', async () => {
  const { root, vendors, channel } = await fixture()
  const { id: palm } = await channel(11)
  const { id: proxy } = await channel(43)
  expect((await root.get(`/api/channel/test/${palm}`)).message).toContain('Google 已停用 PaLM 2')
  const { id: midjourney } = await channel(61)
  for (const id of [proxy, midjourney])
    expect((await root.get(`/api/channel/test/${id}`)).message).toBe('该渠道没有可测试的对话模型')
  expect(vendors.journal).toEqual([])
})

test('an embedding-only channel is tested by embedding; an image-only channel is not tested', async () => {
  const { root, vendors, channel } = await fixture()
  const embeds = await channel(1, { models: 'dall-e-3,text-embedding-3-small' })
  expect((await root.get(`/api/channel/test/${embeds.id}`)).body).toMatchObject({
    success: true,
    model: 'text-embedding-3-small',
  })
  expect(vendors.journal.map(({ path }) => path)).toEqual(['/v1/embeddings'])
  const paints = await channel(46, { models: 'black-forest-labs/flux-schnell', test_model: '' })
  expect((await root.get(`/api/channel/test/${paints.id}`)).message).toBe('该渠道没有可测试的对话模型')
  const asked = await root.get(`/api/channel/test/${embeds.id}?model=dall-e-3`)
  expect(asked.message).toBe('模型 dall-e-3 不是对话或向量模型，测试它会产生费用，请选择其他模型')
  expect(vendors.journal).toHaveLength(1)
})

test('a full test does not count untestable channels as failed', async () => {
  const { root, channel } = await fixture()
  await channel(43)
  await channel(46, { models: 'black-forest-labs/flux-schnell' })
  await channel(1)
  await root.get('/api/channel/test?scope=all')
  for (;;) {
    const { data } = await root.get('/api/channel/test_progress')
    if (data.running) continue
    expect(data).toMatchObject({ total: 3, done: 3, failed: 0 })
    break
  }
})

/** Type → the balance in the replayed answers, in the unit of the type. */
const BALANCES: Record<number, number> = {
  1: 58,
  4: 15,
  5: 250_000,
  8: 58,
  10: 12_345,
  12: 12.5,
  13: 15,
  20: 25.75,
  36: 110,
  44: 88.88,
  55: 95.5,
}

test.each(DOZENS)(
  'a balance is read if the vendor reports one, and refused otherwise: types %s [R7.47]',
  async (_, dozen) => {
    const { root, channel } = await fixture()
    for (const { value, balance } of dozen) {
      const { id } = await channel(value)
      const { success, message, body } = await root.get(`/api/channel/update_balance/${id}/`)
      if (balance === undefined)
        expect({ value, success, message }).toEqual({ value, success: false, message: UNKNOWN })
      else expect({ value, success, balance: body.balance }).toEqual({ value, success: true, balance: BALANCES[value] })
    }
  },
)

test('a key is sent to the account endpoint in the vendor’s format', async () => {
  const { root, vendors, channel } = await fixture()
  const states = CHANNEL_TYPES.filter(({ balance }) => balance !== undefined).map(({ value }) => value)
  expect(states).toEqual(Object.keys(BALANCES).map(Number))
  for (const type of states) await root.get(`/api/channel/update_balance/${(await channel(type)).id}`)
  const bearers = new Set(vendors.journal.filter(({ headers }) => headers.has('authorization')).map(({ type }) => type))
  expect(states.filter((type) => !bearers.has(type))).toEqual([5, 10])
  expect(vendors.journal.find(({ type }) => type === 5)?.query).toBe('?api_key=sk-upstream-key-1234')
  expect(vendors.journal.find(({ type }) => type === 10)?.headers.get('api-key')).toBe('sk-upstream-key-1234')
})

const UNKNOWN = '该类型的渠道不支持查询余额'

test('a vendor’s refusal to report a balance is quoted', async () => {
  const { root, vendors, channel } = await fixture()
  const { id } = await channel(36, { base_url: `${vendors.fieldsOf(36).base_url}/v1` })
  expect((await root.get(`/api/channel/update_balance/${id}`)).body).toMatchObject({ success: true, balance: 110 })
  const { id: lost } = await channel(36, { base_url: `${vendors.fieldsOf(1).base_url}/nowhere` })
  const { success, message } = await root.get(`/api/channel/update_balance/${lost}`)
  expect({ success, message }).toEqual({ success: false, message: '查询余额失败：上游没有给出余额' })
})

test.each(DOZENS)('a model list is read if the vendor has one, and refused otherwise: types %s', async (_, dozen) => {
  const { root, channel } = await fixture()
  for (const { value, listsModels } of dozen) {
    const { id } = await channel(value, value === 43 ? {} : { models: 'kept,gone' })
    const { success, message, data } = await root.get(`/api/channel/fetch_models/${id}`)
    if (listsModels) {
      const changed = { models: ['from-the-vendor', 'kept'], added: ['from-the-vendor'], missing: ['gone'] }
      expect({ value, data }).toEqual({ value, data: changed })
    } else {
      const unsupported = '该类型的渠道不支持查询模型列表'
      expect({ value, success, message }).toEqual({ value, success: false, message: unsupported })
    }
  }
})

test('a signing key is never sent, not even to list models', async () => {
  const { root, vendors, channel } = await fixture()
  await root.get(`/api/channel/fetch_models/${(await channel(16)).id}`)
  const [zhipu] = vendors.journal.filter(({ type }) => type === 16)
  expect(zhipu?.headers.get('authorization')).toMatch(/^Bearer eyJ/)
})

test('a form can fetch models before anything is saved; nothing of it is stored', async () => {
  const { root, vendors } = await fixture()
  const ask = (type: number, more: object = {}) => {
    const { base_url, key, config } = vendors.fieldsOf(type)
    return root.post('/api/channel/fetch_models', { type, base_url, key, config, ...more })
  }
  expect((await ask(1, { key: 'sk-first\nsk-second' })).data).toEqual(['from-the-vendor', 'kept'])
  expect(vendors.journal.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer sk-first'])
  expect((await ask(16)).data).toEqual(['from-the-vendor', 'kept'])
  expect((await ask(37)).data).toEqual(['from-the-vendor', 'kept'])
  expect((await root.get('/api/channel/')).data).toEqual([])

  const refused: [number, object, string][] = [
    [1, { key: ' ' }, '请填写密钥'],
    [8, { base_url: '' }, '地址必须是 http 或 https 网址，不能带账号密码、? 或 #'],
    [1, { base_url: 'http://169.254.169.254' }, '不允许使用该地址'],
    [15, {}, '该类型的渠道不支持查询模型列表'],
    [16, { key: 'no-dot' }, '密钥格式不正确，应为 id.secret'],
  ]
  const before = vendors.journal.length
  for (const [type, more, message] of refused) {
    expect(await ask(type, more)).toMatchObject({ success: false, message })
  }
  expect(vendors.journal).toHaveLength(before)
})

test('the special fields reach the vendor where it expects them [R5.41 R5.43 R5.44 R5.45 R5.47 R5.48 R5.49 R5.50]', async () => {
  const { root, vendors, channel } = await fixture()
  const sent = async (type: number, fields: Record<string, unknown> = {}) => {
    const { id } = await channel(type, fields)
    const { success, message } = await root.get(`/api/channel/test/${id}`)
    expect({ type, success, message }).toEqual({ type, success: true, message: expect.any(String) })
    const asked = vendors.journal.filter((entry) => entry.type === type)
    const [last] = asked.slice(-1)
    if (last === undefined) throw new Error(`Nobody asked type ${type}`)
    return { ...last, first: asked[0], json: last.body === '' ? {} : JSON.parse(last.body) }
  }
  expect((await sent(3, { other: '2024-10-21' })).query).toBe('?api-version=2024-10-21')
  expect((await sent(3)).query).toBe('?api-version=2024-03-01-preview')
  expect((await sent(3)).headers.get('api-key')).toBe('sk-upstream-key-1234')
  expect((await sent(17, { other: '{"calculator":{}}' })).headers.get('x-dashscope-plugin')).toBe('{"calculator":{}}')
  expect((await sent(18, { models: 'SparkDesk', other: 'v3.5' })).path).toBe('/v3.5/chat')
  expect((await sent(21, { other: 'lib-7' })).json).toMatchObject({ libraryId: 'lib-7' })
  const baidu = await sent(15)
  expect(baidu.first?.query).toContain('client_id=the-api-key&client_secret=the-secret-key')
  expect(baidu.query).toBe('?access_token=a-short-lived-token')
  expect((await sent(23)).headers.get('authorization')).toContain('Credential=AKIDexample/')
  expect((await sent(33)).headers.get('authorization')).toMatch(/Credential=AKIAEXAMPLE12345\/\d+\/us-east-1\/bedrock/)
  const bearer = await sent(33, { key: 'a-bedrock-key', config: '{"region":"eu-west-1"}' })
  expect(bearer.headers.get('authorization')).toBe('Bearer a-bedrock-key')
  expect((await sent(34)).json).toMatchObject({ bot_id: 'a-model', user_id: 'the-user' })
  expect((await sent(37)).path).toContain('/accounts/the-user/')
  const vertex = await sent(42)
  expect(vertex.path).toContain('/projects/the-project/locations/us-central1/')
  expect(vertex.headers.get('authorization')).toBe('Bearer a-short-lived-token')
})
