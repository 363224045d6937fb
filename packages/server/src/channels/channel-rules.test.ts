import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { CHANNEL, makeChannel, storedChannel } from '../testing/channel-makers.ts'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { makeAdmin } from '../testing/makers.ts'
import { MESSAGES, relayFixture } from '../testing/relay-fixture.ts'

const SECRET = 'team-canary-secret-1'
const HEADERS = [
  { name: 'X-Team', action: 'set', value: SECRET },
  { name: 'Anthropic-Version', action: 'remove' },
]
const BODY = [
  { path: 'metadata.team', action: 'set', value: '"red"' },
  { path: 'temperature', action: 'default', value: '0.3' },
  { path: 'user', action: 'remove' },
]
const config = (members: object) => JSON.stringify(members)
const RULES = config({ header_rules: HEADERS, body_rules: BODY })

const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const openAiAnswer = () =>
  Response.json({
    id: 'c-1',
    object: 'chat.completion',
    created: 1,
    model: 'a-model',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: USAGE,
  })

test('a passed-through call has the headers and fields of its channel, and keeps the caller’s', async () => {
  const { channel, post, charges } = await relayFixture()
  const vendor = fakeVendor(openAiAnswer)
  await channel('a-model', { type: 8, base_url: vendor.url, config: RULES })
  const body = { model: 'a-model', messages: MESSAGES, user: 'bob', metadata: { run: '7' } }
  expect((await post('/v1/chat/completions', body)).status).toBe(200)
  expect((await post('/v1/chat/completions', { ...body, temperature: 0 })).status).toBe(200)
  const [first, second] = vendor.asked
  expect(first?.headers.get('x-team')).toBe(SECRET)
  expect(first?.headers.get('authorization')).toBe(`Bearer ${CHANNEL.key}`)
  expect(first?.body).toEqual({
    model: 'a-model',
    messages: MESSAGES,
    metadata: { run: '7', team: 'red' },
    temperature: 0.3,
  })
  expect(second?.body).toMatchObject({ temperature: 0 })
  expect(await charges()).toHaveLength(2)
})

test('translated calls, embeddings and forms follow the same rules, forms only those of headers', async () => {
  const { channel, post } = await relayFixture()
  const vendor = fakeVendor(({ path }) => {
    if (path.startsWith('/v1/messages')) {
      const content = [{ type: 'text', text: 'Hi' }]
      const usage = { input_tokens: 3, output_tokens: 2 }
      return Response.json({ type: 'message', role: 'assistant', content, usage, stop_reason: 'end_turn' })
    }
    if (path.includes('transcriptions')) return Response.json({ text: 'Hi', usage: { type: 'duration', seconds: 1 } })
    return Response.json({ embeddings: [[0.5]], prompt_eval_count: 1 })
  })
  await channel('claude-x', { type: 14, base_url: vendor.url, config: RULES })
  await channel('nomic-x', { type: 30, base_url: vendor.url, config: RULES })
  await channel('whisper-x', { type: 8, base_url: vendor.url, config: RULES })
  expect((await post('/v1/chat/completions', { model: 'claude-x', messages: MESSAGES })).status).toBe(200)
  expect((await post('/v1/embeddings', { model: 'nomic-x', input: 'a' })).status).toBe(200)
  const form = new FormData()
  form.set('model', 'whisper-x')
  form.set('file', new File([new Uint8Array(2000)], 'a.mp3'))
  expect((await post('/v1/audio/transcriptions', form)).status).toBe(200)
  const [chat, vector, spoken] = vendor.asked
  for (const asked of vendor.asked) expect(asked.headers.get('x-team')).toBe(SECRET)
  expect(chat?.headers.has('anthropic-version')).toBe(false)
  expect(chat?.body).toMatchObject({ metadata: { team: 'red' }, temperature: 0.3 })
  expect(vector?.body).toMatchObject({ metadata: { team: 'red' } })
  expect(spoken?.headers.get('content-type')).toStartWith('multipart/form-data; boundary=')
})

test('proxy channels, model lists and channel tests send the channel’s headers', async () => {
  const { channel, root, app, key } = await relayFixture()
  const vendor = fakeVendor(({ path }) =>
    path.includes('/models') ? Response.json({ data: [{ id: 'a-model' }] }) : openAiAnswer(),
  )
  const headers = config({ header_rules: HEADERS })
  const proxy = await channel('', { type: 43, base_url: vendor.url, config: headers })
  const { id } = await channel('a-model', { type: 8, base_url: vendor.url, config: headers })
  const passed = await fetch(`${app.url}/v1/oneapi/proxy/${proxy.id}/any`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(passed.status).toBe(200)
  expect((await root.get(`/api/channel/fetch_models/${id}`)).data.models).toEqual(['a-model'])
  expect((await root.get(`/api/channel/test/${id}`)).success).toBe(true)
  expect(vendor.asked).toHaveLength(3)
  for (const asked of vendor.asked) expect(asked.headers.get('x-team')).toBe(SECRET)
})

test('a header’s value is stored encrypted, is in no answer, audit entry or log line, and is masked if a vendor repeats it', async () => {
  const { app, root, channel, chat, logs } = await relayFixture()
  const vendor = fakeVendor(() => Response.json({ error: { message: `no team ${SECRET}` } }, { status: 400 }))
  const { id } = await channel('a-model', { type: 8, base_url: vendor.url, config: RULES })
  expect(JSON.stringify(await storedChannel(app, id))).not.toContain('canary')
  const answer = await chat('a-model')
  const told = [
    await answer.text(),
    JSON.stringify(await logs()),
    ...(
      await Promise.all([
        root.get('/api/channel/'),
        root.get(`/api/channel/${id}`),
        root.put('/api/channel/', { id, priority: 2 }),
        root.get('/api/audit'),
      ])
    ).map(({ body }) => JSON.stringify(body)),
    ...app.lines,
  ].join('\n')
  expect(told).toContain('no team ***')
  expect(told).not.toContain('canary')
  const { data } = await root.get(`/api/channel/${id}`)
  expect(JSON.parse(data.config)).toMatchObject({
    header_rules: [
      { name: 'X-Team', action: 'set' },
      { name: 'Anthropic-Version', action: 'remove' },
    ],
    body_rules: BODY,
  })
})

test('an edit without a value keeps it, one with a value replaces it, and a new address requires it again', async () => {
  const { root, channel, chat } = await relayFixture()
  const vendor = fakeVendor(openAiAnswer)
  const elsewhere = fakeVendor(openAiAnswer)
  const { id } = await channel('a-model', { type: 8, base_url: vendor.url, config: RULES })
  const sent = async () => {
    await chat('a-model')
    return vendor.asked.at(-1)?.headers.get('x-team')
  }
  const kept = config({ header_rules: [{ name: 'x-team', action: 'set' }] })
  expect((await root.put('/api/channel/', { id, config: kept })).success).toBe(true)
  expect(await sent()).toBe(SECRET)
  expect((await root.put('/api/channel/', { id, weight: 3 })).success).toBe(true)
  expect(await sent()).toBe(SECRET)
  const replaced = config({ header_rules: [{ name: 'x-team', action: 'set', value: 'another' }] })
  expect((await root.put('/api/channel/', { id, config: replaced })).success).toBe(true)
  expect(await sent()).toBe('another')
  const moved = { id, base_url: elsewhere.url, key: 'sk-typed-again-1234', config: kept }
  expect((await root.put('/api/channel/', moved)).body).toMatchObject({
    success: false,
    message: '请填写请求头 x-team 的值',
    field: 'header_rules',
  })
  expect((await root.put('/api/channel/', { id, config: '{}' })).success).toBe(true)
  expect(await sent()).toBeNull()
})

test('a change of rules is in the audit log, header values only as a fingerprint', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { config: RULES })
  const other = HEADERS.map((rule) => (rule.action === 'set' ? { ...rule, value: 'team-canary-2' } : rule))
  await client.put('/api/channel/', { id, config: config({ header_rules: other }) })
  const [row] = (await client.get('/api/audit')).data
  const { before, after } = row
  expect(before.body_rules).toEqual(BODY)
  expect(after.body_rules).toBeNull()
  expect(before.secret).not.toBe(after.secret)
})

test.each([
  [
    '请求头 authorization 由网关设置，不能修改',
    { header_rules: [{ name: 'authorization', action: 'set', value: 'x' }] },
  ],
  ['“x a”不是合法的请求头名称', { header_rules: [{ name: 'x a', action: 'remove' }] }],
  ['请填写请求头 x-a 的值', { header_rules: [{ name: 'x-a', action: 'set' }] }],
  ['请求体的 model 不能修改', { body_rules: [{ path: 'model', action: 'remove' }] }],
  ['a 的值必须是合法的 JSON，文本要加引号', { body_rules: [{ path: 'a', action: 'set', value: 'high' }] }],
  [
    '请求头和请求体的规则合计最多 50 条',
    { body_rules: Array.from({ length: 51 }, (_, index) => ({ path: `a${index}`, action: 'remove' })) },
  ],
  ['请求体规则（0.action）只能是以下之一：set, default, remove', { body_rules: [{ path: 'a', action: 'explode' }] }],
])('invalid rules are refused: %s', async (message, rules) => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const creation = { ...CHANNEL, config: config(rules) }
  expect((await client.post('/api/channel/', creation)).body).toMatchObject({ success: false, message })
  const { id } = await makeChannel(client)
  expect((await client.put('/api/channel/', { id, config: config(rules) })).body).toMatchObject({ message })
})

test('a type that signs its requests has no body rules, also when a channel becomes one', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { config: config({ body_rules: BODY }) })
  const hunyuan = { id, type: 23, key: '1234567890|AKIDexample|the-secret-key' }
  expect((await client.put('/api/channel/', hunyuan)).body).toMatchObject({
    message: '该类型的请求体已签名或原样转发，不能修改',
    field: 'body_rules',
  })
})

test('a body of too many levels is refused, not printed', async () => {
  const { app, channel, key } = await relayFixture()
  const vendor = fakeVendor(openAiAnswer)
  await channel('a-model', { type: 8, base_url: vendor.url, config: RULES })
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: `{"model":"a-model","messages":[],"x":${deep}}`,
  })
  expect(answer.status).toBe(400)
  expect(vendor.asked).toHaveLength(0)
})
