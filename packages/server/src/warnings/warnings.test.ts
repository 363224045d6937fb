import { expect, test } from 'bun:test'
import { OPTION_KEYS, WARNED_OPTIONS, WARNING_CODES, type Warning } from '@tollgate/contract'
import { makeChannelRows } from '../testing/channel-makers.ts'
import { fakeHttpProxy } from '../testing/fake-proxy.ts'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { makeUser, setOptions } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { makeToken } from '../testing/token-makers.ts'

type Fixture = Awaited<ReturnType<typeof fixture>>

/** One channel for gpt-4o in the group default, a user in it with a key, and an account that can pay. */
const fixture = async () => {
  const relay = await relayFixture({ quota: 1_000_000 })
  const channel = await relay.channel('gpt-4o', { type: 1 })
  const token = await makeToken(relay.payer.client)
  return { ...relay, channel, token }
}

/** For each kind of change a request, and for each code a change that triggers it and one that does not. */
interface Case {
  code: Warning['code']
  path: string
  /** Called by the owner; otherwise by an administrator. */
  own?: true
  given?: (fixture: Fixture) => unknown
  breaks: (fixture: Fixture) => object | Promise<object>
  harmless: (fixture: Fixture) => object | Promise<object>
}

const CHANNEL = '/api/channel/warnings'
const TOKEN = '/api/token/warnings'
const OPTION = '/api/option/warnings'

const CASES: Case[] = [
  {
    code: 'channel.orphans',
    path: CHANNEL,
    breaks: ({ channel: { id } }) => ({ id, status: 2 }),
    harmless: async ({ app, channel: { id } }) => {
      await makeChannelRows(app, 1, () => ({}))
      return { id, status: 2 }
    },
  },
  {
    code: 'channel.mapping',
    path: CHANNEL,
    breaks: () => ({ type: 1, models: 'gpt-4o', model_mapping: '{"gpt-4o":"gpt-4oo-typo"}' }),
    harmless: () => ({ type: 1, models: 'gpt-4o', model_mapping: '{"gpt-4o":"gpt-4o-mini"}' }),
  },
  {
    code: 'channel.key_header',
    path: CHANNEL,
    breaks: () => ({ type: 14, header_rules: [{ name: 'X-Api-Key', action: 'remove' }] }),
    harmless: () => ({ type: 14, header_rules: [{ name: 'x-trace', action: 'remove' }] }),
  },
  {
    code: 'channel.body_rule',
    path: CHANNEL,
    breaks: () => ({ type: 14, body_rules: [{ path: 'max_tokens', action: 'remove' }] }),
    harmless: () => ({ type: 1, body_rules: [{ path: 'max_tokens', action: 'remove' }] }),
  },
  {
    code: 'channel.body_rule',
    path: CHANNEL,
    breaks: () => ({ type: 1, body_rules: [{ path: 'messages.0', action: 'remove' }] }),
    harmless: () => ({ type: 1, body_rules: [{ path: 'user', action: 'remove' }] }),
  },
  {
    code: 'channel.key_header',
    path: CHANNEL,
    breaks: () => ({ type: 14, header_rules: [{ name: 'x-api-key', action: 'set' }] }),
    harmless: () => ({ type: 1, header_rules: [{ name: 'x-api-key', action: 'set' }] }),
  },
  {
    code: 'channel.needed_header',
    path: CHANNEL,
    breaks: () => ({ type: 14, header_rules: [{ name: 'Anthropic-Version', action: 'remove' }] }),
    harmless: () => ({ type: 14, header_rules: [{ name: 'anthropic-version', action: 'set' }] }),
  },
  ...(
    [
      ['temperature', 'set', '3', '2'],
      ['top_p', 'default', '"0.5"', '0.5'],
      ['max_tokens', 'set', '0', '1'],
      ['n', 'set', '1.5', '2'],
      ['presence_penalty', 'set', 'null', '-2'],
    ] as const
  ).map(([path, action, wrong, right]): Case => {
    const rule = (value: string) => ({ type: 1, body_rules: [{ path, action, value }] })
    return { code: 'channel.body_value', path: CHANNEL, breaks: () => rule(wrong), harmless: () => rule(right) }
  }),
  {
    code: 'channel.first_byte',
    path: CHANNEL,
    breaks: () => ({ first_byte_timeout: 2 }),
    harmless: () => ({ first_byte_timeout: 60 }),
  },
  {
    code: 'channel.address',
    path: CHANNEL,
    breaks: () => ({ base_url: 'http://127.0.0.1:9/v1' }),
    harmless: async () => ({ base_url: `${fakeVendor(() => new Response()).url}/v1` }),
  },
  {
    code: 'channel.address',
    path: CHANNEL,
    breaks: () => ({ base_url: 'https://no-such-host.invalid' }),
    // It is the proxy that has to know the host.
    harmless: async () => ({ base_url: 'https://no-such-host.invalid', proxy: (await fakeHttpProxy()).url }),
  },
  {
    code: 'channel.proxy',
    path: CHANNEL,
    // Nothing listens on port 9.
    breaks: () => ({ proxy: 'socks5://127.0.0.1:9' }),
    harmless: async () => ({ proxy: (await fakeHttpProxy()).url }),
  },
  {
    code: 'token.models',
    path: TOKEN,
    own: true,
    breaks: () => ({ models: 'gpt-9,claude-9' }),
    harmless: () => ({ models: 'gpt-9,gpt-4o' }),
  },
  {
    code: 'token.models',
    path: TOKEN,
    own: true,
    given: ({ app }) => setOptions(app, { ModelAliases: '{"latest":"gpt-4o"}' }),
    breaks: () => ({ models: 'newest' }),
    harmless: () => ({ models: 'latest' }),
  },
  {
    code: 'token.quota',
    path: TOKEN,
    own: true,
    breaks: () => ({ remain_quota: 3 }),
    harmless: () => ({ remain_quota: 500_000 }),
  },
  {
    code: 'token.quota',
    path: TOKEN,
    own: true,
    breaks: () => ({ remain_quota: 0 }),
    harmless: () => ({ remain_quota: 0, unlimited_quota: true }),
  },
  {
    code: 'token.expired',
    path: TOKEN,
    own: true,
    breaks: ({ app }) => ({ expired_time: Math.floor(app.clock.now() / 1000) - 60 }),
    harmless: ({ app }) => ({ expired_time: Math.floor(app.clock.now() / 1000) + 60 }),
  },
  {
    code: 'token.subnet',
    path: TOKEN,
    own: true,
    given: ({ app, token }) => app.parts.seenAddresses.note(token.id, '192.0.2.7'),
    breaks: ({ token: { id } }) => ({ id, subnet: '10.0.0.0/8,2001:db8::/32' }),
    harmless: ({ token: { id } }) => ({ id, subnet: '10.0.0.0/8,192.0.2.0/24' }),
  },
  {
    code: 'user.group',
    path: '/api/user/warnings',
    breaks: ({ payer: { id } }) => ({ id, group: 'vip,svip' }),
    harmless: ({ payer: { id } }) => ({ id, group: 'vip,default' }),
  },
  {
    code: 'user.quota',
    path: '/api/user/warnings',
    breaks: ({ payer: { id } }) => ({ id, quota: 0 }),
    harmless: ({ payer: { id } }) => ({ id, quota: 2_000_000 }),
  },
  ...(['user', 'group', 'channel', 'key'] as const).map((scope): Case => {
    const target = ({ payer, channel, token }: Fixture) =>
      ({ user: `${payer.id}`, group: 'default', channel: `${channel.id}`, key: `${token.id}` })[scope]
    return {
      code: 'budget.small',
      path: '/api/budget/warnings',
      breaks: (at) => ({ scope, target: target(at), quota: 3 }),
      harmless: (at) => ({ scope, target: target(at), quota: 500_000 }),
    }
  }),
  {
    code: 'option.alias',
    path: OPTION,
    breaks: () => ({ key: 'ModelAliases', value: '{"gpt-4o":"gpt-9"}' }),
    harmless: () => ({ key: 'ModelAliases', value: '{"gpt-latest":"gpt-4o"}' }),
  },
  {
    code: 'budget.spent',
    path: '/api/budget/warnings',
    given: async ({ app, root, payer }) => {
      const asked = { scope: 'user', target: `${payer.id}`, quota: 1_000_000, period: 'forever' }
      const { data: budget_id } = await root.post('/api/budget/', asked)
      await app.db.insertInto('budget_usage').values({ budget_id, slot: 0, used: 500_000, held: 0 }).execute()
    },
    breaks: async ({ root }) => ({ id: (await root.get('/api/budget/')).data[0].id, quota: 500_001 }),
    harmless: async ({ root }) => ({ id: (await root.get('/api/budget/')).data[0].id, quota: 900_000 }),
  },
  {
    code: 'option.alias',
    path: OPTION,
    given: ({ app }) => makeChannelRows(app, 1, () => ({ models: 'gpt-5', group: 'vip' })),
    breaks: () => ({ key: 'ModelAliases', value: '{"gpt-4o":"gpt-5"}' }),
    harmless: () => ({ key: 'ModelAliases', value: '{"newest":"gpt-5"}' }),
  },
  {
    code: 'option.proxy_price',
    path: OPTION,
    given: ({ app }) => makeChannelRows(app, 1, () => ({ type: 43, models: '' })),
    breaks: () => ({ key: 'ProxyCallPrice', value: '1000001' }),
    harmless: () => ({ key: 'ProxyCallPrice', value: '100' }),
  },
  {
    code: 'option.alias',
    path: OPTION,
    breaks: () => ({ key: 'ModelAliases', value: '{"*":"gpt-9"}' }),
    harmless: () => ({ key: 'ModelAliases', value: '{"claude-*":"gpt-4o"}' }),
  },
  {
    code: 'option.fallback',
    path: OPTION,
    breaks: () => ({ key: 'ModelFallbacks', value: '{"gpt-4o":{"to":["gpt-9"],"on":["timeout"]}}' }),
    harmless: () => ({ key: 'ModelFallbacks', value: '{"gpt-9":{"to":["gpt-4o"],"on":["no_channel"]}}' }),
  },
  {
    code: 'option.fallback',
    path: OPTION,
    given: ({ app }) => setOptions(app, { ModelAliases: '{"latest":"gpt-4o","gone":"gpt-9"}' }),
    breaks: () => ({ key: 'ModelFallbacks', value: '{"gpt-8":{"to":["gone"],"on":["no_channel"]}}' }),
    harmless: () => ({ key: 'ModelFallbacks', value: '{"gpt-8":{"to":["latest"],"on":["no_channel"]}}' }),
  },
  ...(
    [
      ['PreConsumedQuota', '100000000', '600'],
      ['ModelRatio', '{"gpt-4o":1000000}', '{"gpt-4o":2}'],
      ['CompletionRatio', '{"gpt-4o":1000000}', '{"gpt-4o":4}'],
      ['GroupRatio', '{"default":1000000}', '{"default":2}'],
    ] as const
  ).map(
    ([key, breaking, usual]): Case => ({
      code: 'option.price',
      path: OPTION,
      breaks: () => ({ key, value: breaking }),
      harmless: () => ({ key, value: usual }),
    }),
  ),
  {
    code: 'option.price',
    path: OPTION,
    given: async ({ root, channel }) => root.put('/api/channel/', { id: channel.id, models: 'nobody-prices-this' }),
    breaks: () => ({ key: 'DefaultModelRatio', value: '1000000' }),
    harmless: () => ({ key: 'DefaultModelRatio', value: '20' }),
  },
  {
    code: 'option.slow_channels',
    path: OPTION,
    given: async ({ app, channel }) => {
      await app.db.updateTable('channels').set({ response_time: 900 }).where('id', '=', channel.id).execute()
      await setOptions(app, { AutomaticDisableChannelEnabled: true })
    },
    breaks: () => ({ key: 'ChannelDisableThreshold', value: '0.5' }),
    harmless: () => ({ key: 'ChannelDisableThreshold', value: '5' }),
  },
  {
    code: 'option.slow_channels',
    path: OPTION,
    given: async ({ app, channel }) => {
      await app.db.updateTable('channels').set({ response_time: 900 }).where('id', '=', channel.id).execute()
      await setOptions(app, { ChannelDisableThreshold: 0.5 })
    },
    breaks: () => ({ key: 'AutomaticDisableChannelEnabled', value: 'true' }),
    harmless: () => ({ key: 'AutomaticDisableChannelEnabled', value: 'false' }),
  },
]

const codes = ({ data }: { data: Warning[] }) => data.map(({ code }) => code)

test.each(CASES.map((one, number) => [`${one.code} (${number})`, one] as const))(
  '%s: a change that would make every call fail causes a warning, and another one does not',
  async (_, { code, path, own, given, breaks, harmless }) => {
    const at = await fixture()
    await given?.(at)
    const asker = own ? at.payer.client : at.root
    const found = await asker.post(path, await breaks(at))
    expect(codes(found)).toEqual([code])
    expect(found.data[0].zh).toMatch(/\p{Script=Han}/u)
    expect(found.data[0].en).not.toMatch(/\p{Script=Han}/u)
    expect(codes(await asker.post(path, await harmless(at)))).toEqual([])
  },
)

test('every kind of warning has a case above, and every option with a warning', () => {
  // Key pools are covered by a separate test.
  expect(new Set([...CASES.map(({ code }) => code), 'channel.last_key'])).toEqual(new Set(WARNING_CODES))
  const options = CASES.filter(({ path }) => path === OPTION).map(({ breaks }) => breaks({} as Fixture))
  expect(new Set(options.map((option) => 'key' in option && option.key))).toEqual(new Set(WARNED_OPTIONS))
})

test('the last usable key of a pool is not paused or removed without a warning', async () => {
  const { root, channel } = await relayFixture().then(async (relay) => ({
    ...relay,
    channel: await relay.channel('gpt-4o', { type: 1, key: 'sk-one-1111\nsk-two-2222', key_pool: true }),
  }))
  const [one, two] = (await root.get(`/api/channel/${channel.id}/keys`)).data
  const without = (...ids: number[]) => root.post(`/api/channel/${channel.id}/keys/warnings`, { ids })
  expect(codes(await without(one.id))).toEqual([])
  expect(codes(await without(one.id, two.id))).toEqual(['channel.last_key', 'channel.orphans'])
  await root.put(`/api/channel/${channel.id}/keys`, { ids: [one.id], status: 2 })
  expect(codes(await without(two.id))).toEqual(['channel.last_key', 'channel.orphans'])
  await root.put('/api/channel/', { id: channel.id, status: 2 })
  expect(codes(await without(two.id))).toEqual([])
})

test('an existing condition is not warned about again', async () => {
  const { root, payer, channel } = await fixture()
  const rules = { header_rules: [{ name: 'x-api-key', action: 'remove' }], first_byte_timeout: 2 }
  const mapping = { models: 'gpt-4o', model_mapping: '{"gpt-4o":"gpt-4oo-typo"}' }
  await root.put('/api/channel/', { id: channel.id, ...mapping, config: JSON.stringify(rules) })
  const again = await root.post(CHANNEL, { id: channel.id, ...mapping, ...rules })
  expect(again.data).toEqual([])
  const token = await makeToken(payer.client, { models: 'gpt-9', remain_quota: 0, unlimited_quota: false })
  const same = { id: token.id, models: 'gpt-9', remain_quota: 0, unlimited_quota: false }
  expect((await payer.client.post(TOKEN, same)).data).toEqual([])
  const { data: id } = await root.post('/api/budget/', {
    ...{ scope: 'user', target: `${payer.id}`, quota: 3, period: 'day' },
  })
  expect((await root.post('/api/budget/warnings', { id, quota: 3 })).data).toEqual([])
  expect(codes(await root.post('/api/budget/warnings', { id, quota: 4 }))).toEqual(['budget.small'])
})

test('a warning is not a refusal: the change can still be saved, and the check changed nothing', async () => {
  const { root, payer, channel } = await fixture()
  await root.post(CHANNEL, { id: channel.id, status: 2 })
  expect((await root.get(`/api/channel/${channel.id}`)).data.status).toBe(1)
  expect((await root.put('/api/channel/', { id: channel.id, status: 2 })).success).toBe(true)
  expect((await payer.client.post('/api/token/', { name: 'k', models: 'gpt-9' })).success).toBe(true)
})

test('a budget without a warning lets a call through, and one with a warning does not', async () => {
  const { root, payer, chat, channel } = await relayFixture().then(async (relay) => ({
    ...relay,
    channel: await relay.channel('gpt-4o'),
  }))
  const told = await root.post('/api/budget/warnings', { scope: 'channel', target: `${channel.id}`, quota: 1 })
  expect(codes(told)).toEqual(['budget.small'])
  const budget = (quota: number) =>
    root.post('/api/budget/', { scope: 'user', target: `${payer.id}`, quota, period: 'day' })
  const { data: id } = await budget(1)
  expect((await chat('gpt-4o')).status).toBe(429)
  await root.delete(`/api/budget/${id}`)
  expect(
    (await root.post('/api/budget/warnings', { scope: 'user', target: `${payer.id}`, quota: 50_000 })).data,
  ).toEqual([])
  await budget(50_000)
  expect((await chat('gpt-4o')).status).toBe(200)
})

test('rate limits need no warning: the smallest of them lets a call through', async () => {
  const { root, payer, chat, channel } = await relayFixture().then(async (relay) => ({
    ...relay,
    channel: await relay.channel('gpt-4o'),
  }))
  expect(channel.id).toBeGreaterThan(0)
  const limits = { rpm: 1, tpm: 1, concurrency: 1 }
  await root.put('/api/user/', { id: payer.id, rate_limits: limits })
  expect((await chat('gpt-4o')).status).toBe(200)
})

test('channels of weight 0 alone need no warning: they share the calls evenly', async () => {
  const { channel, chat } = await relayFixture()
  await channel('gpt-4o', { weight: 0 })
  expect((await chat('gpt-4o')).status).toBe(200)
})

test("a user who asks about another's key or budget learns nothing", async () => {
  const { app, token, payer, root } = await fixture()
  const other = await makeUser(app)
  const { data: id } = await root.post('/api/budget/', {
    ...{ scope: 'user', target: `${payer.id}`, quota: 3, period: 'day' },
  })
  for (const [path, body] of [
    [TOKEN, { id: token.id, models: 'gpt-9' }],
    ['/api/budget/warnings', { id, quota: 1 }],
    ['/api/budget/warnings', { scope: 'key', target: `${token.id}`, quota: 1 }],
  ] as const) {
    const unknown = 'id' in body ? { ...body, id: 999_999 } : { ...body, target: '999999' }
    const refusal = await other.client.post(path, body)
    expect(refusal.success).toBe(false)
    expect(refusal.body).toEqual((await other.client.post(path, unknown)).body)
  }
})

test('an unknown option, or a value that would be refused, causes no warning and no error', async () => {
  const { root } = await fixture()
  for (const [key, value] of [
    ['NoSuchOption', '1'],
    ['ModelAliases', 'no json'],
    ['PreConsumedQuota', '-1'],
    ...OPTION_KEYS.map((one) => [one, '']),
  ]) {
    expect((await root.post(OPTION, { key, value })).data).toEqual([])
  }
})
