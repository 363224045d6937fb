import { expect, test } from 'bun:test'
import { setLimits } from '../../testing/limit-makers.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { makeToken } from '../../testing/token-makers.ts'

const FIXED = { DefaultModelRatio: 1 }
const aliases = (table: object) => ({ ModelAliases: JSON.stringify(table) })
const fallbacks = (table: object) => ({ ModelFallbacks: JSON.stringify(table) })

test('an alias is answered by its model, charged as that model, and the answer and the log show it', async () => {
  const { channel, chat, onlyLog, upstream } = await relayFixture({
    options: { ...FIXED, ...aliases({ 'gpt-latest': 'fixed/12/10' }) },
  })
  await channel('fixed/12/10')
  const answer = await chat('gpt-latest', { max_tokens: 10 })
  expect([answer.status, answer.headers.get('x-tollgate-model')]).toEqual([200, 'fixed/12/10'])
  expect(upstream.journal[0]?.body.model).toBe('fixed/12/10')
  expect(await onlyLog()).toMatchObject({
    model_name: 'fixed/12/10',
    quota: 22,
    detail: { requested_model: 'gpt-latest' },
  })
})

test('a pattern applies to names that no channel offers, and a call for a real model is left alone', async () => {
  const { channel, chat } = await relayFixture({ options: aliases({ 'say/*': 'say/5' }) })
  await channel('say/5,say/20')
  expect((await chat('say/20')).headers.get('x-tollgate-model')).toBeNull()
  expect((await chat('say/99')).headers.get('x-tollgate-model')).toBe('say/5')
  expect((await chat('unknown')).status).toBe(404)
})

test('a key that may use an alias may use the model behind it, and no other alias', async () => {
  const {
    app,
    channel,
    chat,
    payer,
    key: own,
  } = await relayFixture({ options: aliases({ one: 'say/5', two: 'say/20' }) })
  await channel('say/5,say/20')
  const token = await makeToken(payer.client, { models: 'one', unlimited_quota: true })
  const key = `sk-${token.key}`
  expect((await chat('one', {}, { key })).status).toBe(200)
  expect((await chat('two', {}, { key })).status).toBe(403)
  const listed = async (headers: Record<string, string>) =>
    (await (await fetch(`${app.url}/v1/models`, { headers })).json()).data.map(({ id }: { id: string }) => id)
  expect(await listed({ authorization: `Bearer ${key}` })).toEqual(['one'])
  expect(await listed({ authorization: `Bearer ${own}` })).toEqual(['one', 'say/20', 'say/5', 'two'])
})

test.each([false, true])('if a model fails, the next fallback answers and is charged; streamed: %p', async (stream) => {
  const { app, channel, chat, account, openHolds } = await relayFixture({
    options: {
      ...FIXED,
      ...fallbacks({ 'fault/server': { to: ['missing', 'fixed/12/10'], on: ['upstream_error'] } }),
    },
  })
  await channel('fault/server,fixed/12/10')
  const answer = await chat('fault/server', { max_tokens: 10, stream })
  expect([answer.status, answer.headers.get('x-tollgate-model')]).toEqual([200, 'fixed/12/10'])
  await answer.text()
  expect(await account()).toMatchObject({ held: 0, used_quota: 22, request_count: 1 })
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test.each([
  ['豆包-pro', '%E8%B1%86%E5%8C%85-pro'],
  ['😀 model', '%F0%9F%98%80%20model'],
  ['ünïcode', '%C3%BCn%C3%AFcode'],
  ['a"b\\c', 'a"b\\c'],
])('an alias or a fallback may be a model with any name: %s', async (name, header) => {
  const { app, channel, chat, openHolds, account } = await relayFixture({
    options: { ...FIXED, ...aliases({ latest: name }), ...fallbacks({ gone: { to: [name], on: ['no_channel'] } }) },
  })
  await channel(name, { model_mapping: JSON.stringify({ [name]: 'fixed/12/10' }) })
  for (const stream of [false, true])
    for (const asked of ['latest', 'gone']) {
      const answer = await chat(asked, { max_tokens: 10, stream })
      expect([answer.status, answer.headers.get('x-tollgate-model')]).toEqual([200, header])
      await answer.text()
    }
  expect(await account()).toMatchObject({ held: 0, used_quota: 4 * 22, request_count: 4 })
  expect([await openHolds(), await app.audit()]).toEqual([[], []])
})

test('a model without channels, or whose channels cool down, is answered by its fallback', async () => {
  const { channel, chat } = await relayFixture({
    options: fallbacks({ gone: { to: ['say/5'], on: ['no_channel'] }, other: { to: ['say/5'], on: ['timeout'] } }),
  })
  await channel('say/5')
  expect((await chat('gone')).headers.get('x-tollgate-model')).toBe('say/5')
  expect((await chat('other')).status).toBe(404)
})

test('a model that reached the rate limit of its vendor is answered by another one, also of the same and only channel', async () => {
  const { channel, chat, upstream } = await relayFixture({
    options: { RetryTimes: 2, ...fallbacks({ 'fault/rate': { to: ['say/5'], on: ['rate_limited'] } }) },
  })
  await channel('fault/rate,say/5')
  for (const stream of [false, true]) {
    const answer = await chat('fault/rate', { stream })
    await answer.text()
    expect([answer.status, answer.headers.get('x-tollgate-model')]).toEqual([200, 'say/5'])
  }
  // The second call did not ask again for what cools down.
  expect(upstream.journal.map(({ model }) => model)).toEqual(['fault/rate', 'say/5', 'say/5'])
})

test('a call that a fallback answers is one request of its caller, and one of each model that was asked', async () => {
  const relay = await relayFixture({
    options: {
      ...FIXED,
      ...fallbacks({ 'fault/server': { to: ['fixed/12/10'], on: ['upstream_error', 'no_channel'] } }),
    },
  })
  await relay.channel('fault/server,fixed/12/10')
  const remaining = async () =>
    (await relay.chat('fault/server', { max_tokens: 10 })).headers.get('x-ratelimit-remaining-requests')
  await setLimits(relay, { key: { rpm: 3, concurrency: 1 }, user: { rpm: 3 } })
  expect([await remaining(), await remaining(), await remaining()]).toEqual(['2', '1', '0'])
  expect((await relay.chat('fault/server')).status).toBe(429)
  await setLimits(relay, { key: {}, user: {}, group: { default: { models: { 'fixed/12/10': { rpm: 1 } } } } })
  expect((await relay.chat('fault/server', { max_tokens: 10 })).status).toBe(200)
  expect((await relay.chat('fixed/12/10', { max_tokens: 10 })).status).toBe(429)
})

test('where no channel of a model has budget left, another model answers; a budget of the caller refuses the call', async () => {
  const { root, payer, channel, chat } = await relayFixture({
    options: { ...FIXED, ...fallbacks({ 'fixed/12/10': { to: ['say/5'], on: ['no_channel'] } }) },
  })
  const spent = await channel('fixed/12/10')
  await channel('say/5')
  const budget = { quota: 1, period: 'month' }
  await root.post('/api/budget/', { scope: 'channel', target: String(spent.id), ...budget })
  expect((await chat('fixed/12/10', { max_tokens: 10 })).headers.get('x-tollgate-model')).toBe('say/5')
  await root.post('/api/budget/', { scope: 'user', target: String(payer.id), ...budget })
  expect((await chat('fixed/12/10', { max_tokens: 10 })).status).toBe(429)
})

test('a pattern with many wildcards matches what it says, and a long name that nearly matches takes no time', async () => {
  const { channel, chat } = await relayFixture({
    options: aliases({ 'a*b*b': 'say/5', [`x${'*y'.repeat(60)}z`]: 'say/5' }),
  })
  await channel('say/5')
  const statusOf = async (model: string) => (await chat(model)).status
  expect(await Promise.all(['abb', 'a-b-b', 'a.b+b', 'ab', 'abc', 'xabb'].map(statusOf))).toEqual([
    ...[200, 200, 200],
    ...[404, 404, 404],
  ])
  // A backtracking expression would not end within the test's time.
  expect(await statusOf(`x${'y'.repeat(250)}`)).toBe(404)
})

test('after an invalid request no other model is tried, and the caller gets the first failure', async () => {
  const { channel, chat, upstream } = await relayFixture({
    options: fallbacks({ 'fault/bad-request': { to: ['say/5'], on: ['upstream_error', 'timeout', 'no_channel'] } }),
  })
  await channel('fault/bad-request,say/5')
  expect((await chat('fault/bad-request')).status).toBe(400)
  expect(upstream.journal).toHaveLength(1)
})

test('fallbacks of a fallback are not followed, so that two that name each other end', async () => {
  const { channel, chat, upstream } = await relayFixture({
    options: fallbacks({
      'fault/server': { to: ['fault/rate'], on: ['upstream_error', 'rate_limited'] },
      'fault/rate': { to: ['fault/server'], on: ['upstream_error', 'rate_limited'] },
    }),
  })
  await channel('fault/server,fault/rate')
  expect((await chat('fault/server')).ok).toBe(false)
  expect(upstream.journal).toHaveLength(2)
})

test.each([false, true])('the table of fallbacks may name aliases on both sides; streamed: %p', async (stream) => {
  const { channel, chat, logs, payer } = await relayFixture({
    options: {
      ...aliases({ latest: 'fault/server', spare: 'say/5', same: 'fault/server', 'other-*': 'say/5' }),
      ...fallbacks({ latest: { to: ['same', 'spare', 'other-1'], on: ['upstream_error'] } }),
    },
  })
  await channel('fault/server,say/5')
  const token = await makeToken(payer.client, { models: 'latest,spare', unlimited_quota: true })
  const answer = await chat('latest', { stream }, { key: `sk-${token.key}` })
  await answer.text()
  expect([answer.status, answer.headers.get('x-tollgate-model')]).toEqual([200, 'say/5'])
  expect((await logs()).at(-1)).toMatchObject({ model_name: 'say/5', detail: { requested_model: 'latest' } })
  // Asked for by its own name, the model has no row.
  expect((await chat('fault/server', { stream })).status).toBe(503)
})

test('a key can opt out, by its own setting or by its allowed models', async () => {
  const { channel, chat, payer } = await relayFixture({
    options: fallbacks({ 'fault/server': { to: ['say/5'], on: ['upstream_error'] } }),
  })
  await channel('fault/server')
  await channel('say/5')
  const refusing = await makeToken(payer.client, { fallback: false, unlimited_quota: true })
  const narrow = await makeToken(payer.client, { models: 'fault/server', unlimited_quota: true })
  for (const { key } of [refusing, narrow]) {
    expect((await chat('fault/server', {}, { key: `sk-${key}` })).ok).toBe(false)
  }
  expect((await chat('fault/server')).status).toBe(200)
})

test('invalid tables are refused with a message', async () => {
  const { root } = await relayFixture()
  const put = (key: string, value: unknown) => root.put('/api/option/', { key, value: JSON.stringify(value) })
  for (const loop of [{ a: 'a' }, { a: 'b', b: 'c' }, { a: 'b*' }]) {
    expect((await put('ModelAliases', loop)).message).toContain('别名不能指向自己')
  }
  expect((await put('ModelAliases', { a: 1 })).message).toContain('必须是 JSON 对象')
  expect((await put('ModelFallbacks', { a: { to: ['a'], on: ['timeout'] } })).message).toContain('不能是模型自己')
  for (const bad of [{ a: 'b' }, { a: { to: [], on: ['timeout'] } }, { a: { to: ['b'], on: ['sometimes'] } }]) {
    expect((await put('ModelFallbacks', bad)).message).toContain('必须是 JSON 对象')
  }
})
