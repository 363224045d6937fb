import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { ALERT_METHOD_NAMES, ALERT_METHODS, type AlertMethod, CHANNEL_TYPES } from '@tollgate/contract'
import { CHANNEL, keyOfType } from '../testing/channel-makers.ts'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../testing/relay-fixture.ts'

// Dozens of connections that fail, possibly on a busy machine.
setDefaultTimeout(120_000)

/*
 * Every address to which the product connects at somebody's request. Linux takes 0.0.0.0 for this machine, so a guard that is missing
 * anywhere lets a connection through to the listener.
 */

/** Refused to everyone. */
const FORBIDDEN = ['0.0.0.0', '0', '0x0', '00.0', '0.0.0.0.', '[::ffff:0.0.0.0]', '[::ffff:0:0]']
/** Refused to everyone but administrators. */
const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.1',
  '127.0.0.1.',
  '[::ffff:127.0.0.1]',
  'localhost',
]

/** Counts connections, and ends each at once. */
const listener = () => {
  let count = 0
  const server = Bun.listen({
    hostname: '0.0.0.0',
    port: 0,
    socket: {
      open(socket) {
        count++
        socket.end()
      },
      data() {},
    },
  })
  onTestFinished(() => server.stop(true))
  return { port: server.port, count: () => count }
}

type World = Awaited<ReturnType<typeof fixture>>
/** Uses a host with a port in one way; refusals are expected. */
type Way = (world: World, host: string) => Promise<unknown>

const fixture = async () => {
  const relay = await relayFixture({ options: { RetryTimes: 0 } })
  const inline = fakeVendor(() => Response.json({ error: { message: 'no' } }, { status: 400 }))
  // Google's API takes images only as bytes.
  await relay.channel('inline', { type: 24, base_url: inline.url })
  return { ...relay, addresses: listener() }
}

const setAll = async ({ root }: World, values: Record<string, string | number | boolean>) => {
  for (const [key, value] of Object.entries(values)) await root.put('/api/option/', { key, value: `${value}` })
}

/** Without these nothing is sent. */
const CONFIGS = new Map([
  [21, '{"library_id":"1"}'],
  [34, '{"user_id":"1"}'],
  [37, '{"user_id":"1"}'],
])

const OWN_MODELS = new Map([
  [18, 'SparkDesk-v3.5'],
  [61, 'mj_imagine'],
])

/** PaLM was shut down and is never called. Bedrock and Vertex sign with keys of their own; their hosts are tested with their adapters. */
const NOT_CALLED = [11, 33, 42]

/** A channel with these fields is made, if that is not refused, and used in every way. */
const usesChannel =
  (type: number, fields: (host: string) => object): Way =>
  async ({ root, chat, post }, host) => {
    const model = OWN_MODELS.get(type) ?? `m-${type}`
    const made = await root.post('/api/channel/', {
      ...CHANNEL,
      ...{ type, key: keyOfType(type), models: model, test_model: model, config: CONFIGS.get(type) ?? '{}' },
      ...fields(host),
    })
    const [channel] = made.success ? made.data : []
    const config = { type, key: keyOfType(type), ...fields(host) }
    await root.post('/api/channel/fetch_models', config)
    if (channel === undefined) return
    await root.get(`/api/channel/test/${channel.id}?model=${model}`)
    await root.get(`/api/channel/fetch_models/${channel.id}`)
    await root.get(`/api/channel/update_balance/${channel.id}`)
    await chat(model)
    await post('/v1/embeddings', { model, input: 'x' })
    await post('/v1/images/generations', { model, prompt: 'x' })
    await post('/mj/submit/imagine', { prompt: 'x' })
    await post(`/v1/oneapi/proxy/${channel.id}/x`, {})
    await root.delete(`/api/channel/${channel.id}`)
  }

const SET_BY_ADMINISTRATORS: Record<string, Way> = {
  WeChat: async (world, host) => {
    await setAll(world, { WeChatServerAddress: `http://${host}`, WeChatServerToken: 'token', WeChatAuthEnabled: true })
    await world.app.client().get('/api/oauth/wechat?code=abc')
  },
  'the message pusher': async (world, host) => {
    await setAll(world, { MessagePusherAddress: `http://${host}/push`, MessagePusherToken: 'token' })
    await world.app.parts.notifications.tellRoot({ title: 'a', description: 'b', content: 'c' })
  },
  'the mail server': async (world, host) => {
    const [, name = '', port = ''] = /^(.*):(\d+)$/.exec(host) ?? []
    await setAll(world, { SMTPServer: name.replace(/^\[|\]$/g, ''), SMTPPort: port, SMTPFrom: 'a@example.com' })
    await world.app.client().get(`/api/verification?email=${Bun.randomUUIDv7()}@example.com`)
  },
  'the proxy of a channel': usesChannel(1, (host) => ({
    base_url: 'http://vendor.example',
    config: JSON.stringify({ proxy: `http://${host}` }),
  })),
  'the SOCKS proxy of a channel': usesChannel(1, (host) => ({
    base_url: 'http://vendor.example',
    config: JSON.stringify({ proxy: `socks5://${host}` }),
  })),
  ...Object.fromEntries(
    CHANNEL_TYPES.filter(({ value }) => !NOT_CALLED.includes(value)).map(({ value }) => [
      `a channel of type ${value}`,
      usesChannel(value, (host) => ({ base_url: `http://${host}` })),
    ]),
  ),
}

const destination =
  (way: AlertMethod, owner: 'own' | 'gateway', more: object = {}): Way =>
  async ({ root, payer }, host) => {
    const client = owner === 'own' ? payer.client : root
    const secret = ALERT_METHODS[way].secret === 'none' ? {} : { secret: 'a-secret-of-16-chars' }
    const fields = { way, owner, name: 'a', address: `http://${host}/a/b`, ...secret, ...more }
    const { data: id } = await client.post('/api/alert/destination/', fields)
    if (typeof id !== 'number') return
    await client.post(`/api/alert/destination/test/${id}`)
    await client.delete(`/api/alert/destination/${id}`)
  }

const METHODS = ALERT_METHOD_NAMES.filter((way) => ALERT_METHODS[way].address === 'url')

const shows =
  (content: (host: string) => object): Way =>
  ({ chat }, host) =>
    chat('inline', { messages: [...MESSAGES, { role: 'user', content: [content(host)] }] })

const SET_BY_USERS: Record<string, Way> = {
  ...Object.fromEntries(METHODS.map((way) => [`alerts by ${way}`, destination(way, 'own')])),
  ...Object.fromEntries(METHODS.map((way) => [`alerts of the gateway by ${way}`, destination(way, 'gateway')])),
  'an image': shows((host) => ({ type: 'image_url', image_url: { url: `http://${host}/a.png` } })),
  'an image of Anthropic': ({ post }, host) =>
    post('/v1/messages', {
      ...{ model: 'inline', max_tokens: 5 },
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: `http://${host}/a.png` } }] }],
    }),
  'a document of Anthropic': ({ post }, host) =>
    post('/v1/messages', {
      ...{ model: 'inline', max_tokens: 5 },
      messages: [
        { role: 'user', content: [{ type: 'document', source: { type: 'url', url: `http://${host}/a.pdf` } }] },
      ],
    }),
  'an image of Responses': ({ post }, host) =>
    post('/v1/responses', {
      model: 'inline',
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: `http://${host}/a.png` }] }],
    }),
}

test.each(Object.entries(SET_BY_ADMINISTRATORS))('no administrator leads %s to a forbidden address', async (_, use) => {
  const world = await fixture()
  const { port, count } = world.addresses
  for (const host of FORBIDDEN) {
    await use(world, `${host}:${port}`)
    expect([host, count()]).toEqual([host, 0])
  }
  // A private one is allowed: it is really used.
  await use(world, `127.0.0.1:${port}`)
  expect(count()).toBeGreaterThan(0)
})

test.each(Object.entries(SET_BY_USERS))('no user leads %s to a forbidden or private address', async (_, use) => {
  const world = await fixture()
  const { port, count } = world.addresses
  for (const host of [...FORBIDDEN, ...PRIVATE]) {
    await use(world, `${host}:${port}`)
    expect([host, count()]).toEqual([host, 0])
  }
})

test.each(METHODS)('root may allow a private address for alerts by %s, never a forbidden one', async (way) => {
  const world = await fixture()
  const { port, count } = world.addresses
  const use = destination(way, 'gateway', { private_allowed: true })
  for (const host of FORBIDDEN) await use(world, `${host}:${port}`)
  expect(count()).toBe(0)
  await use(world, `127.0.0.1:${port}`)
  expect(count()).toBeGreaterThan(0)
})
