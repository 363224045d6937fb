import { expect, onTestFinished, test } from 'bun:test'
import { createServer } from 'node:net'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { setOptions } from '../../testing/makers.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

const PRIVATE = {
  cookie: 'session=secret',
  'x-api-key': 'sk-somebody',
  'x-forwarded-for': '203.0.113.9',
  forwarded: 'for=203.0.113.9',
  'openai-organization': 'org-callers',
  te: 'trailers',
}

const CHAT = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}
const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
  ...{ stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } },
}

const fixture = async (type: number, answer: object, headers: Record<string, string> = {}) => {
  const vendor = fakeVendor(() => Response.json(answer, { headers }))
  const relay = await relayFixture()
  await relay.channel('m', { type, base_url: vendor.url })
  return { vendor, relay }
}

test('Anthropic’s client chooses version and beta features at Anthropic; nothing private is sent along', async () => {
  const { vendor, relay } = await fixture(14, MESSAGE)
  const chosen = { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'context-1m-2025-08-07,files-api' }
  const body = { model: 'm', max_tokens: 5, messages: MESSAGES }
  expect((await relay.post('/v1/messages', body, { headers: { ...PRIVATE, ...chosen } })).status).toBe(200)
  const sent = vendor.asked[0]?.headers
  expect(sent?.get('anthropic-version')).toBe('2024-01-01')
  expect(sent?.get('anthropic-beta')).toBe(chosen['anthropic-beta'])
  expect(sent?.get('x-api-key')).toBe('sk-upstream-key-1234')
  for (const name of ['cookie', 'x-forwarded-for', 'forwarded', 'openai-organization', 'te', 'authorization'])
    expect([name, sent?.get(name)]).toEqual([name, null])

  await relay.post('/v1/messages', body)
  expect(vendor.asked[1]?.headers.get('anthropic-version')).toBe('2023-06-01')
  expect(vendor.asked[1]?.headers.get('anthropic-beta')).toBeNull()
})

test('OpenAI’s client chooses beta features at a vendor of its dialect, with the channel’s key', async () => {
  const { vendor, relay } = await fixture(1, CHAT)
  const headers = { ...PRIVATE, 'openai-beta': 'assistants=v2', 'anthropic-beta': 'x' }
  await relay.chat('m', {}, { headers })
  const sent = vendor.asked[0]?.headers
  expect(sent?.get('openai-beta')).toBe('assistants=v2')
  expect(sent?.get('authorization')).toBe('Bearer sk-upstream-key-1234')
  for (const name of ['cookie', 'x-api-key', 'x-forwarded-for', 'openai-organization', 'anthropic-beta'])
    expect([name, sent?.get(name)]).toEqual([name, null])
})

test('headers for one vendor are not sent to another', async () => {
  const { vendor, relay } = await fixture(1, CHAT)
  const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'x' }
  const answer = await relay.post('/v1/messages', { model: 'm', max_tokens: 5, messages: MESSAGES }, { headers })
  expect(answer.status).toBe(200)
  expect(vendor.asked[0]?.headers.get('anthropic-version')).toBeNull()
})

test('of the vendor’s headers only limits and ids are returned, the id under another name', async () => {
  const { relay } = await fixture(1, CHAT, {
    'x-request-id': 'req_vendor',
    'x-ratelimit-remaining-requests': '59',
    'openai-processing-ms': '12',
    'openai-organization': 'org-operators',
    'set-cookie': '__cf_bm=x',
    'access-control-allow-origin': 'https://vendor.example',
    'x-frame-options': 'DENY',
  })
  const { headers } = await relay.chat('m')
  expect(headers.get('x-upstream-request-id')).toBe('req_vendor')
  expect(headers.get('x-request-id')).not.toBe('req_vendor')
  expect(headers.get('x-ratelimit-remaining-requests')).toBe('59')
  expect(headers.get('openai-processing-ms')).toBe('12')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  for (const name of ['openai-organization', 'set-cookie', 'x-frame-options'])
    expect([name, headers.get(name)]).toEqual([name, null])
})

test('no answer of the relay may be cached in between', async () => {
  const { relay } = await fixture(1, CHAT, {
    'cache-control': 'public, max-age=3600',
    expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
  })
  const headers = { authorization: `Bearer ${relay.key}` }
  const answers = [
    await relay.chat('m'),
    await relay.chat('m', { stream: true }),
    await relay.chat('nobody-has-it'),
    await fetch(`${relay.app.url}/v1/models`, { headers }),
  ]
  for (const answer of answers) {
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('expires')).toBeNull()
  }
})

test('of very many limit headers only a few are passed on', async () => {
  const many = Array.from({ length: 250 }, (_, at) => `x-ratelimit-${at}: 1`).join('\r\n')
  const body = JSON.stringify(CHAT)
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
  const url = await saysBytes(Buffer.from(`${head}${many}\r\n\r\n${body}`, 'latin1'))
  const relay = await relayFixture()
  await relay.channel('m', { base_url: url })
  const { status, headers } = await relay.chat('m')
  expect(status).toBe(200)
  expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit-'))).toHaveLength(40)
})

/** The address of a vendor that answers every request with these bytes. */
async function saysBytes(bytes: Uint8Array) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => void socket.end(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

test('a proxied answer cannot control the servers in front of us, and reveals no key', async () => {
  const key = 'Bearer vendor-key-0123456789'
  const orders = { 'x-accel-redirect': '/secret', 'x-sendfile': '/etc/passwd', 'www-authenticate': 'Basic' }
  const vendor = fakeVendor(({ headers }) => {
    const pieces = [
      `{"sent":"${headers.get('authorization')?.slice(0, 12)}`,
      `${headers.get('authorization')?.slice(12)}"}`,
    ]
    const body = new ReadableStream({
      async pull(controller) {
        const piece = pieces.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(piece))
      },
    })
    return new Response(body, {
      headers: {
        ...orders,
        'set-cookie': 'a=b',
        'cache-control': 'public',
        'content-type': 'application/json',
        etag: key,
      },
    })
  })
  const relay = await relayFixture()
  const { id } = await relay.channel('', { type: 43, base_url: `${vendor.url}/api`, key })
  const headers = { authorization: `Bearer ${relay.key}` }
  const answer = await fetch(`${relay.app.url}/v1/oneapi/proxy/${id}/items`, { headers })
  expect(await answer.text()).toBe('{"sent":"***"}')
  for (const name of [...Object.keys(orders), 'set-cookie'])
    expect([name, answer.headers.get(name)]).toEqual([name, null])
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('etag')).toBe('***')
  for (const path of ['..%2fadmin', '%2e%2e%5cadmin', 'a%2fb']) {
    expect((await fetch(`${relay.app.url}/v1/oneapi/proxy/${id}/${path}`, { headers })).status).toBe(400)
  }
  expect((await fetch(`${relay.app.url}/v1/oneapi/proxy/${id}/items`, { method: 'TRACE', headers })).ok).toBe(false)
  expect(vendor.asked).toHaveLength(1)
})

test('a proxied query is forwarded byte for byte, without the keys in it', async () => {
  const vendor = fakeVendor(() => Response.json({}))
  const relay = await relayFixture()
  const { id } = await relay.channel('', { type: 43, base_url: vendor.url, key: 'Bearer theirs' })
  const ask = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${relay.app.url}/v1/oneapi/proxy/${id}/search?${query}`, { headers })
  await ask(`q=a%20b+c&key=${relay.key}&empty=&api_key=x&access_token=y&monkey=1`)
  expect(vendor.asked[0]?.path).toBe('/search?q=a%20b+c&empty=&monkey=1')
  await ask(`q=1&mine=${relay.key}`, { authorization: `Bearer ${relay.key}` })
  expect(vendor.asked[1]?.path).toBe('/search?q=1')
  await ask(`key=${relay.key}`)
  expect(vendor.asked[2]?.path).toBe('/search')
})

const UNSENDABLE: [string, string][] = [
  ['a control character', 'a\u007fb'],
  ['letters beyond ASCII', 'caf\u00e9'],
  ['more than a vendor reads', 'a'.repeat(5000)],
]

test.each(UNSENDABLE)(
  'a header that no vendor would take is the caller’s error, not the channel’s: %s',
  async (_, value) => {
    const { vendor, relay } = await fixture(14, MESSAGE)
    const openai = fakeVendor(() => Response.json(CHAT))
    await relay.channel('o', { type: 1, base_url: openai.url })
    await setOptions(relay.app, { AutomaticDisableChannelEnabled: true, RetryTimes: 0 })
    const messages = { max_tokens: 5, messages: MESSAGES }
    const request = { custom_id: 'a', params: { model: 'm', ...messages } }
    const calls: Record<string, () => Promise<Response>> = {
      messages: () => relay.post('/v1/messages', { model: 'm', ...messages }, { headers: { 'anthropic-beta': value } }),
      version: () =>
        relay.post('/v1/messages', { model: 'm', ...messages }, { headers: { 'anthropic-version': value } }),
      batch: () =>
        relay.post('/v1/messages/batches', { requests: [request] }, { headers: { 'anthropic-beta': value } }),
      responses: () => relay.post('/v1/responses', { model: 'o', input: 'Hi' }, { headers: { 'openai-beta': value } }),
    }
    for (const [name, call] of Object.entries(calls))
      for (let times = 0; times < 12; times++) expect([name, (await call()).status]).toEqual([name, 400])
    expect([vendor.asked, openai.asked]).toEqual([[], []])
    expect((await relay.root.get('/api/channel/')).data.map(({ status }: { status: number }) => status)).toEqual([1, 1])
    expect((await relay.post('/v1/messages', { model: 'm', ...messages })).status).toBe(200)
    expect(await relay.openHolds()).toEqual([])
  },
)
