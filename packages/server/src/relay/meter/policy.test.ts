import { expect, setDefaultTimeout, test } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { makeChannel } from '../../testing/channel-makers.ts'
import { refusedAddress } from '../../testing/fake-upstream.ts'
import { ledgerFixture } from '../../testing/ledger-fixture.ts'
import { setOptions } from '../../testing/makers.ts'
import { rawUpstream } from '../../testing/raw-upstream.ts'
import { ASKS_COST, booksOf, readded, readStream, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/*
 * What is charged, row by row of the policy. Every token costs 1 here. The prompt is 6 tokens by our estimate and 11 by
 * the provider's count; the ten words of an answer are 10 tokens by both.
 */
const EACH_TOKEN_COSTS_1 = { DefaultModelRatio: 1 }
const PROMPT = 6
/** The hold for it. */
const PROMPT_HELD = 12
const REPORTED = 11 + 10
const ESTIMATED = PROMPT + 10

const ways = [
  { way: 'plain', stream: false },
  { way: 'stream', stream: true },
]

test.each(ways)('a provider that cannot be reached costs nothing ($way) [R1.11]', async ({ stream }) => {
  const { app, root, chat, account, charges, onlyLog, openHolds } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await makeChannel(root, { type: 8, base_url: await refusedAddress(), models: 'say/10' })
  const response = await chat('say/10', { stream })
  expect(response.status).toBe(502)
  expect(await charges()).toEqual([])
  expect(await account()).toEqual({ quota: 1_000_000, held: 0, used_quota: 0, request_count: 0 })
  expect(await openHolds()).toEqual([])
  expect(await onlyLog()).toMatchObject({ type: 6, quota: 0, request_id: response.headers.get('x-request-id') })
  expect(await app.audit()).toEqual([])
})

test.each(ways)('a provider that does not answer in time costs nothing ($way)', async ({ stream }) => {
  const { app, upstream, channel, chat, charges, onlyLog, openHolds } = await relayFixture({
    options: EACH_TOKEN_COSTS_1,
  })
  await channel('fault/hang')
  const calling = chat('fault/hang', { stream })
  await upstream.received(1)
  app.clock.pass(400)
  app.parts.watchdog.check()
  expect((await calling).status).toBe(504)
  await upstream.until(([exchange]) => exchange?.aborted === true)
  expect(await charges()).toEqual([])
  expect(await openHolds()).toEqual([])
  expect(await onlyLog()).toMatchObject({ type: 6, quota: 0 })
  expect(app.parts.watchdog.running()).toBe(0)
})

const REFUSALS = ['fault/server', 'fault/rate', 'fault/auth', 'fault/quota', 'fault/bad-request', 'fault/redirect']

test.each(ways.flatMap(({ way, stream }) => REFUSALS.map((model) => ({ way, stream, model }))))(
  'an answer that is not a success costs nothing: $model ($way)',
  async ({ model, stream }) => {
    const { app, channel, chat, charges, openHolds, account } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
    await channel(model)
    expect((await chat(model, { stream })).ok).toBe(false)
    expect(await charges()).toEqual([])
    expect(await openHolds()).toEqual([])
    expect(await account()).toMatchObject({ quota: 1_000_000, held: 0 })
    expect(await app.audit()).toEqual([])
  },
)

test('a plain answer costs what the provider reports, and its headers say so [R1.12] [R2.67]', async () => {
  const { app, channel, chat, charges, account, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  const { id } = await channel('say/10')
  const response = await chat('say/10')
  expect(response.headers.get('x-tollgate-cost')).toBe(String(REPORTED))
  expect(response.headers.get('x-tollgate-cost-source')).toBe('reported')
  expect(JSON.parse(response.headers.get('x-tollgate-usage') ?? '')).toMatchObject({ input: 11, output: 10 })
  const ref = response.headers.get('x-request-id') ?? ''
  expect(await charges()).toMatchObject([{ kind: 'consume', ref, delta: -REPORTED, channel_id: id }])
  expect(await account()).toEqual({
    quota: 1_000_000 - REPORTED,
    held: 0,
    used_quota: REPORTED,
    request_count: 1,
  })
  expect(await onlyLog()).toMatchObject({
    ...{ type: 2, quota: REPORTED, prompt_tokens: 11, completion_tokens: 10, model_name: 'say/10', is_stream: 0 },
    detail: { source: 'reported', usage: { input: 11, output: 10 } },
  })
  expect(await app.audit()).toEqual([])
})

test('a streamed answer costs what the provider reports, in a comment before the last event if requested [R1.12]', async () => {
  const { channel, chat, charges, onlyLog, upstream } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('say/10')
  const { cost, done, content, events } = await readStream(await chat('say/10', { stream: true }, ASKS_COST))
  expect({ done, content }).toEqual({ done: true, content: 'The bar goes up when the toll is paid.' })
  expect(cost).toMatchObject({ cost: REPORTED, source: 'reported' })
  expect(await charges()).toMatchObject([{ delta: -REPORTED }])
  expect(await onlyLog()).toMatchObject({ type: 2, quota: REPORTED, is_stream: 1 })
  // The gateway requested the usage, and removed it again: this client had not asked for it.
  expect(upstream.journal[0]?.body.stream_options).toEqual({ include_usage: true })
  expect(events.filter((event) => 'usage' in event)).toEqual([])
})

test('a client that asks for the usage of a stream gets it', async () => {
  const { channel, chat } = await relayFixture()
  await channel('say/10')
  const response = await chat('say/10', { stream: true, stream_options: { include_usage: true } })
  const { events } = await readStream(response)
  expect(events.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 10 } })
})

test.each(ways)(
  'without reported usage the text is counted and the cost is marked estimated ($way) [R1.12]',
  async ({ stream }) => {
    const { channel, chat, charges, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
    await channel('usage/none')
    await (await chat('usage/none', { stream })).text()
    expect(await charges()).toMatchObject([{ kind: 'consume', delta: -ESTIMATED }])
    expect(await onlyLog()).toMatchObject({ type: 2, quota: ESTIMATED, detail: { source: 'estimated' } })
  },
)

test('text is counted in the formatting of other vendors too: spaces after colons, CRLF, completions', async () => {
  const { channel, chat, post, logs } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/spaced,fault/crlf,usage/none')
  await (await chat('fault/spaced', { stream: true }, {})).text()
  await (await chat('fault/crlf', { stream: true })).text()
  await (await post('/v1/completions', { model: 'usage/none', prompt: 'Hello there', stream: true })).text()
  expect((await logs()).map(({ quota, detail }) => [quota, detail.source])).toEqual([
    [REPORTED, 'reported'],
    [REPORTED, 'reported'],
    [3 + 10, 'estimated'],
  ])
})

test('images without reported usage are counted as images, not by the size of their bytes', async () => {
  const { channel, post, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('usage/none')
  await post('/v1/images/generations', { model: 'usage/none', prompt: 'A toll gate', n: 2 })
  expect(await onlyLog()).toMatchObject({ detail: { source: 'estimated', usage: { imageOutput: 2000 } } })
})

test('an error instead of the first event costs nothing and is an ordinary error', async () => {
  const { channel, chat, charges, openHolds } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/error-first,fault/role-then-error')
  for (const model of ['fault/error-first', 'fault/role-then-error']) {
    expect((await chat(model, { stream: true })).status).toBe(502)
  }
  expect(await charges()).toEqual([])
  expect(await openHolds()).toEqual([])
})

test('an error inside a stream before any content costs nothing and is marked upstream_error', async () => {
  const { channel, chat, charges, onlyLog, openHolds, upstream } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/error-after-role')
  const response = await chat('fault/error-after-role', { stream: true }, ASKS_COST)
  upstream.release()
  const { error, cost } = await readStream(response)
  expect(error?.message).toContain('Broken after the role')
  expect(cost).toMatchObject({ cost: 0 })
  expect(await charges()).toEqual([])
  expect(await openHolds()).toEqual([])
  expect(await onlyLog()).toMatchObject({ type: 6, quota: 0, detail: { flag: 'upstream_error' } })
})

test('an error after content costs the prompt and what was delivered; its own text is never counted', async () => {
  const { app, channel, chat, logs } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/error-mid,fault/error-beside')
  const middle = await readStream(await chat('fault/error-mid', { stream: true }))
  expect([middle.content, middle.error?.message]).toEqual(['The bar goes', 'Broken in the middle'])
  const beside = await readStream(await chat('fault/error-beside', { stream: true }))
  expect([beside.content, beside.error?.message]).toEqual(['The bar goes up', 'Broken beside a word'])
  expect((await logs()).map(({ type, quota, detail }) => [type, quota, detail.flag, detail.source])).toEqual([
    [2, PROMPT + 3, 'partial', 'estimated'],
    [2, PROMPT + 4, 'partial', 'estimated'],
  ])
  expect(await app.audit()).toEqual([])
})

test.each(ways)(
  'a client that disconnects before the provider sent anything pays nothing ($way) [R1.13]',
  async ({ stream }) => {
    const { app, upstream, channel, chat, charges, atRest, onlyLog } = await relayFixture({
      options: EACH_TOKEN_COSTS_1,
    })
    await channel('fault/hang')
    const client = new AbortController()
    const calling = chat('fault/hang', { stream }, { signal: client.signal }).catch(() => 'left')
    await upstream.received(1)
    client.abort()
    expect(await calling).toBe('left')
    await upstream.until(([exchange]) => exchange?.aborted === true)
    await atRest()
    expect(await charges()).toEqual([])
    expect(await onlyLog()).toMatchObject({ type: 6, quota: 0 })
    expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  },
)

test('a client that disconnects after the first event and before any content pays the prompt [R1.13]', async () => {
  const { upstream, channel, chat, charges, atRest, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/stall-first')
  const client = new AbortController()
  const response = await chat('fault/stall-first', { stream: true }, { signal: client.signal })
  await response.body?.getReader().read()
  client.abort()
  await upstream.until(([exchange]) => exchange?.aborted === true)
  await atRest()
  expect(await charges()).toMatchObject([{ kind: 'consume', delta: -PROMPT }])
  expect(await onlyLog()).toMatchObject({ type: 2, quota: PROMPT, detail: { flag: 'client_abort' } })
})

test('a client that disconnects in mid-stream pays the prompt and what was received, and the upstream is aborted [R1.13]', async () => {
  const { app, upstream, channel, chat, charges, atRest, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/stall-mid')
  const client = new AbortController()
  const response = await chat('fault/stall-mid', { stream: true }, { signal: client.signal })
  expect(await received(response, ' goes')).toContain('The')
  client.abort()
  await upstream.until(([exchange]) => exchange?.aborted === true)
  await atRest()
  expect(await charges()).toMatchObject([{ kind: 'consume', delta: -(PROMPT + 3) }])
  expect(await onlyLog()).toMatchObject({
    ...{ type: 2, quota: PROMPT + 3 },
    detail: { flag: 'client_abort', source: 'estimated' },
  })
  expect(await app.audit()).toEqual([])
})

test('a client that disconnects before the answer begins leaves no hold and no active call behind', async () => {
  const { app, channel, chat, atRest, upstream } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/stall-mid')
  for (let turn = 0; turn < 10; turn++) {
    const client = new AbortController()
    const calling = chat('fault/stall-mid', { stream: true }, { signal: client.signal }).catch(() => undefined)
    if (turn % 2 === 0) await upstream.received(upstream.journal.length + 1)
    client.abort()
    await calling
  }
  await atRest()
  await upstream.until((journal) => journal.every(({ aborted }) => aborted))
  expect(await app.audit()).toEqual([])
})

const NONSENSE = ['negative', 'negative-output', 'fraction', 'text']

test.each(ways.flatMap(({ way, stream }) => NONSENSE.map((name) => ({ way, stream, name }))))(
  'impossible usage is replaced by our own count and marked usage_anomaly: $name ($way)',
  async ({ name, stream }) => {
    const { app, channel, chat, charges, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
    await channel(`usage/${name}`)
    await (await chat(`usage/${name}`, { stream })).text()
    expect(await charges()).toMatchObject([{ kind: 'consume', delta: -ESTIMATED }])
    expect(await onlyLog()).toMatchObject({ type: 2, quota: ESTIMATED, detail: { source: 'usage_anomaly' } })
    await app.logged('A vendor reported a usage that cannot be')
  },
)

/** More than was sent or can be written. 500 tokens are held for an answer without a limit. */
const TOO_MUCH = [
  { name: 'huge', cost: PROMPT_HELD + 500 },
  { name: 'huge-output', cost: 11 + 500 },
  { name: 'huge-input', cost: PROMPT_HELD + 10 },
]

test.each(ways.flatMap(({ way, stream }) => TOO_MUCH.map((report) => ({ way, stream, ...report }))))(
  'implausibly large usage is charged at the hold, never for free: $name ($way)',
  async ({ name, stream, cost }) => {
    const { app, channel, chat, charges, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
    await channel(`usage/${name}`)
    await (await chat(`usage/${name}`, { stream })).text()
    expect(await charges()).toMatchObject([{ kind: 'consume', delta: -cost }])
    const { detail, quota } = await onlyLog()
    expect(detail).toMatchObject({ source: 'usage_anomaly' })
    expect(readded(detail)).toBe(quota)
    await app.logged('A vendor reported a usage that cannot be')
  },
)

test('an impossible price is charged as the maximum of one call, and the call ends', async () => {
  const ratios = { DefaultModelRatio: 1_000_000, GroupRatio: '{"default":1000000}' }
  const { app, channel, chat, charges, openHolds } = await relayFixture({ quota: 900_000_000_000_000, options: ratios })
  await channel('say/10')
  expect((await chat('say/10', { max_tokens: 10 })).status).toBe(200)
  expect(await charges()).toMatchObject([{ delta: -1_000_000_000_000 }])
  expect(await openHolds()).toEqual([])
  expect((await chat('say/10', { max_tokens: 1_000_000 })).status).toBe(429)
  expect(await app.audit()).toEqual([])
})

test('a model without a price is billed at DefaultModelRatio and marked in the log [R1.14]', async () => {
  const { app, channel, chat, charges, logs } = await relayFixture()
  await channel('say/10,gpt-4o-mini')
  await chat('say/10')
  await setOptions(app, { ModelRatio: '{"say/10":2}', CompletionRatio: '{"say/10":3}' })
  await chat('say/10')
  await chat('gpt-4o-mini')
  expect(await charges()).toMatchObject([{ delta: -30 * REPORTED }, { delta: -(11 * 2 + 10 * 6) }, { delta: -4 }])
  expect((await logs()).map(({ detail }) => detail.price.source)).toEqual(['default', 'ratio', 'library'])
})

test.each(ways)('a free model costs nothing, needs no balance, and is logged ($way)', async ({ stream }) => {
  const { app, channel, chat, charges, onlyLog } = await relayFixture({
    quota: 0,
    options: { ModelRatio: '{"say/10":0}' },
  })
  await channel('say/10')
  const response = await chat('say/10', { stream })
  expect(response.status).toBe(200)
  await response.text()
  expect((await charges()).map(({ delta }) => delta)).toEqual([0])
  expect(await onlyLog()).toMatchObject({ type: 2, quota: 0, prompt_tokens: 11, completion_tokens: 10 })
  expect(await app.audit()).toEqual([])
})

test('a call that is not free needs a balance, however small the estimate', async () => {
  const { channel, chat, upstream, account } = await relayFixture({ quota: 0, options: { PreConsumedQuota: 0 } })
  await channel('say/10')
  const response = await chat('say/10', { messages: [] })
  expect([response.status, (await response.json()).error.code]).toEqual([429, 'insufficient_quota'])
  expect(upstream.journal).toEqual([])
  expect(await account()).toMatchObject({ quota: 0, held: 0 })
})

test('a charge above the hold is taken in full, and the next call is refused [R1.12]', async () => {
  const { channel, chat, account } = await relayFixture({
    quota: 20,
    options: { ...EACH_TOKEN_COSTS_1, PreConsumedQuota: 0 },
  })
  await channel('say/100')
  expect((await chat('say/100')).status).toBe(200)
  expect(await account()).toMatchObject({ quota: 20 - 111, held: 0 })
  const refused = await chat('say/100')
  expect([refused.status, (await refused.json()).error.code]).toEqual([429, 'insufficient_quota'])
})

test.each([
  ['/v1/chat/completions', { max_completion_tokens: 1, max_tokens: 1000 }],
  ['/v1/completions', { max_tokens: 10, best_of: 100, n: 1 }],
  ['/v1beta/models/say/5:generateContent', { generationConfig: { maxOutputTokens: 1000 } }],
  ['/v1beta/models/say/5:generateContent', { generationConfig: { maxOutputTokens: 10, candidateCount: 100 } }],
  ['/v1beta/models/say/5:generateContent', { generation_config: { max_output_tokens: 1000 } }],
  ['/v1beta/models/say/5:generateContent', { generation_config: { maxOutputTokens: 10, candidate_count: 100 } }],
  ['/v1beta/models/say/5:generateContent', { generationConfig: { max_output_tokens: 10, candidate_count: 100 } }],
])('the hold covers the maximum that a body requests: %s %j', async (path, asked) => {
  const fixture = await relayFixture({ quota: 500, options: { ...EACH_TOKEN_COSTS_1, PreConsumedQuota: 1 } })
  await fixture.channel('say/5')
  const response = await fixture.post(path, { model: 'say/5', prompt: 'x', messages: [], contents: [], ...asked })
  expect(response.status).toBe(429)
  expect(fixture.upstream.journal).toEqual([])
})

test('a stream that outgrows its hold continues as long as the balance lasts, and ends there [R2.67]', async () => {
  const { app, channel, chat, account, onlyLog, upstream } = await relayFixture({
    quota: 500,
    options: { ...EACH_TOKEN_COSTS_1, PreConsumedQuota: 10 },
  })
  await channel('pace/1/2000')
  const { error, content, cost } = await readStream(await chat('pace/1/2000', { stream: true }, ASKS_COST))
  expect(error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' })
  const spent = PROMPT + Math.ceil(content.length / 4)
  expect(cost).toMatchObject({ cost: spent })
  // 16 were held, then 32, 64, 128, 256; the balance did not allow 512, but smaller steps up to the end of it.
  expect(spent).toBeWithin(500, 502)
  expect(await account()).toMatchObject({ quota: 500 - spent, held: 0 })
  expect(await onlyLog()).toMatchObject({ type: 2, detail: { flag: 'quota_end' } })
  await upstream.until(([exchange]) => exchange?.aborted === true)
  expect(await app.audit()).toEqual([])
})

test('each kind of token is counted once, and the kinds add up to the total [R1.15]', async () => {
  const { channel, chat, onlyLog } = await relayFixture({
    options: { ModelRatio: '{"usage/buckets":1}', CompletionRatio: '{"usage/buckets":3}' },
  })
  await channel('usage/buckets')
  await chat('usage/buckets')
  expect(await onlyLog()).toMatchObject({
    ...{ prompt_tokens: 1000, completion_tokens: 200, quota: 1000 + 3 * 200 },
    detail: {
      usage: { input: 300, cachedInput: 600, audioInput: 100, output: 50, reasoning: 120, audioOutput: 30 },
    },
  })
})

test('a stream whose process died is charged its recorded progress, a plain call nothing [R1.13]', async () => {
  const { app, store, hold, user } = await ledgerFixture()
  await app.db.insertInto('owners').values({ epoch: 'dead', node: 'n', started_at: 1, closed_at: null }).execute()
  const dead = { epoch: 'dead', price: '{"model":"gpt-4o"}' }
  await store.run([
    { ...hold('a stream', 100), ...dead },
    { ...hold('a plain call', 50), ...dead },
  ])
  await store.run([{ type: 'progress', id: 'a stream', used: 40 }])
  // The next process to start finds that nobody holds the epoch's lock.
  await testApp({ location: app.location })
  const { charges, openHolds, onlyLog, account } = booksOf(app, user.id)
  expect(await openHolds()).toEqual([])
  expect(await charges()).toMatchObject([{ kind: 'consume', ref: 'a stream', delta: -40 }])
  expect(await account()).toEqual({ quota: 999_960, held: 0, used_quota: 40, request_count: 1 })
  expect(await onlyLog()).toMatchObject({
    ...{ type: 2, quota: 40, model_name: 'gpt-4o', request_id: 'a stream' },
    detail: { flag: 'recovered' },
  })
  expect(await app.audit()).toEqual([])
})

test('a proxy call costs its flat price if the other side answered, and nothing if it failed', async () => {
  const { app, root, upstream, post, charges, openHolds } = await relayFixture({ options: { ProxyCallPrice: 50 } })
  const { id } = await makeChannel(root, { type: 43, base_url: upstream.url, models: 'proxy' })
  const broken = await makeChannel(root, { type: 43, base_url: await refusedAddress(), models: 'proxy' })
  expect((await post(`/v1/oneapi/proxy/${id}/v1/chat/completions`, { model: 'say/3' })).status).toBe(200)
  expect((await post(`/v1/oneapi/proxy/${id}/v1/chat/completions`, { model: 'fault/bad-request' })).status).toBe(400)
  expect((await post(`/v1/oneapi/proxy/${id}/v1/chat/completions`, { model: 'fault/server' })).status).toBe(503)
  expect((await post(`/v1/oneapi/proxy/${broken.id}/anything`, { model: 'x' })).status).toBe(502)
  expect((await charges()).map(({ delta }) => delta)).toEqual([-50, -50])
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('a proxy call whose answer is not HTTP costs nothing, and the log says what was wrong', async () => {
  const { app, root, post, charges, openHolds, onlyLog } = await relayFixture({ options: { ProxyCallPrice: 50 } })
  const { url } = await rawUpstream('nul-in-name')
  const { id } = await makeChannel(root, { type: 43, base_url: url, models: 'proxy' })
  expect((await post(`/v1/oneapi/proxy/${id}/anything`, { model: 'x' })).status).toBe(502)
  expect(await charges()).toEqual([])
  expect((await onlyLog()).content_en).toContain('not valid HTTP: a header line that is none')
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('one hold stands for a call whatever the retries, and the price is that of the channel that answered [R1.11]', async () => {
  const { app, channel, chat, charges } = await relayFixture({
    options: { RetryTimes: 3, ModelRatio: '{"cheap":1,"fault/server":1,"say/10":5}' },
  })
  await channel('model', { priority: 2, model_mapping: '{"model":"fault/server"}' })
  await channel('model', { priority: 1, model_mapping: '{"model":"say/10"}' })
  const response = await chat('model')
  expect(response.status).toBe(200)
  // The hold had grown to what the dearer channel might cost.
  const id = response.headers.get('x-request-id') ?? ''
  expect(app.holds()).toMatchObject([{ id, amount: 5 * (PROMPT_HELD + 500) }])
  expect(await charges()).toMatchObject([{ ref: id, delta: -5 * REPORTED }])
})

test('a charge is written before the client sees the end of its answer [R1.11]', async () => {
  const { channel, chat, charges, openHolds } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('say/10')
  const response = await chat('say/10', { stream: true })
  await received(response, '[DONE]')
  expect(await charges()).toMatchObject([{ delta: -REPORTED }])
  expect(await openHolds()).toEqual([])
})

/** Reads a stream until a text has arrived. */
async function received(response: Response, text: string) {
  const decoder = new TextDecoder()
  let all = ''
  for await (const chunk of response.body ?? []) {
    all += decoder.decode(chunk, { stream: true })
    if (all.includes(text)) return all
  }
  throw new Error(`The stream ended before ${text}: ${all}`)
}
