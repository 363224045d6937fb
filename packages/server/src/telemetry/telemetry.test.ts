import { expect, setDefaultTimeout, test } from 'bun:test'
import { readConfig } from '../common/config.ts'
import { fakeCollector } from '../testing/outside/fake-collector.ts'
import { freePort } from '../testing/outside/free-port.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

setDefaultTimeout(30_000)

const TOKEN = 'scrape-me-if-you-can'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${PARENT}-01`

/** A gateway that sends its calls to a collector. */
const fixture = async (collector = fakeCollector(), more: Record<string, string> = {}, retries = 3) => {
  const { otlp } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=to%20let%20in',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    ...more,
  })
  const relay = await relayFixture({
    options: { DefaultModelRatio: 1, RetryTimes: retries },
    config: { otlp, metricsToken: TOKEN },
  })
  const flush = async () => {
    await relay.app.parts.telemetry?.flush()
    return collector.spans()
  }
  return { ...relay, collector, flush }
}

const SERVER = 2
const CLIENT = 3

test('a call is one span, with one below it for the attempt, following the conventions', async () => {
  const { chat, channel, flush, collector, payer, app } = await fixture()
  const { id } = await channel('fixed/12/10')
  const answer = await chat('fixed/12/10', { max_tokens: 10 })
  expect(answer.status).toBe(200)
  const spans = await flush()
  expect(spans.map(({ kind, name }) => [kind, name])).toEqual([
    [CLIENT, 'chat fixed/12/10'],
    [SERVER, 'chat fixed/12/10'],
  ])
  const [attempt, call] = spans
  expect(attempt).toMatchObject({ traceId: call?.traceId ?? '', parentSpanId: call?.spanId ?? '', status: {} })
  expect(call?.parentSpanId).toBeUndefined()
  const used = { 'gen_ai.usage.input_tokens': 12, 'gen_ai.usage.output_tokens': 10 }
  const expected = {
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'custom', 'gen_ai.request.model': 'fixed/12/10' },
    ...{ ...used, 'tollgate.channel.id': id, 'gen_ai.response.finish_reasons': ['stop'] },
  }
  expect(attempt?.attributes).toMatchObject(expected)
  expect(call?.attributes).toMatchObject({
    ...{ ...expected, 'gen_ai.response.model': 'fixed/12/10', 'http.response.status_code': 200 },
    ...{ 'tollgate.user.id': payer.id, 'tollgate.quota': Number(answer.headers.get('x-tollgate-cost')) },
    'tollgate.request_id': answer.headers.get('x-request-id'),
  })
  expect(call?.resource).toMatchObject({ 'service.name': 'tollgate', 'deployment.environment.name': 'test' })
  expect(collector.received[0]?.headers.get('x-collector-key')).toBe('to let in')
  expect(await app.audit()).toEqual([])
})

test('a retry over two channels is two attempts of one call, the failed one with its error', async () => {
  const { chat, channel, flush, upstream } = await fixture()
  const failing = await channel('m', { priority: 9, model_mapping: '{"m":"fault/server"}' })
  const healthy = await channel('m', { model_mapping: '{"m":"say/5"}' })
  expect((await chat('m')).status).toBe(200)
  const spans = await flush()
  expect(spans.map(({ kind, name, status }) => [kind, name, status.code])).toEqual([
    [CLIENT, 'chat fault/server', 2],
    [CLIENT, 'chat say/5', undefined],
    [SERVER, 'chat m', undefined],
  ])
  const [failed, answered, call] = spans
  expect(failed?.attributes).toMatchObject({
    ...{ 'error.type': 'server', 'http.response.status_code': 503, 'tollgate.channel.id': failing.id },
  })
  expect(answered?.attributes).toMatchObject({ 'tollgate.channel.id': healthy.id })
  expect(call?.attributes).toMatchObject({ 'gen_ai.request.model': 'm', 'tollgate.channel.id': healthy.id })
  expect(call?.attributes['error.type']).toBeUndefined()
  const parents = upstream.journal.map(({ headers }) => headers.get('traceparent'))
  expect(parents).toEqual([failed, answered].map((span) => `00-${call?.traceId}-${span?.spanId}-01`))
})

test('a call that fails everywhere, and one that is refused before any channel, end with their error', async () => {
  const { chat, channel, flush } = await fixture(undefined, {}, 0)
  await channel('fault/server')
  const [failed, refused, unknown] = [
    await chat('fault/server'),
    await chat('nobody-has-it'),
    await chat('fault/server', {}, { key: 'sk-not-a-key' }),
  ]
  const servers = (await flush()).filter(({ kind }) => kind === SERVER)
  const ends = servers.map(({ attributes, status }) => [
    ...[attributes['error.type'], attributes['http.response.status_code'], status.code],
  ])
  expect(ends).toEqual([
    ['upstream_error', failed?.status, 2],
    ['client_error', refused?.status, undefined],
    ['access', unknown?.status, undefined],
  ])
})

test('a stream ends with its last event, and one whose client disconnected is canceled', async () => {
  const { chat, channel, flush, app, upstream } = await fixture()
  await channel('say/20,pace/20/500')
  await (await chat('say/20', { stream: true })).text()
  const client = new AbortController()
  const response = await chat('pace/20/500', { stream: true }, { signal: client.signal })
  await response.body?.getReader().read()
  client.abort()
  await upstream.until((journal) => journal.some(({ aborted }) => aborted))
  while (app.openRequests() > 0) await Bun.sleep(5)
  await app.parts.watchdog.idle()
  const spans = await flush()
  const of = (name: string) => spans.filter((span) => span.name === `chat ${name}`).map(({ attributes }) => attributes)
  for (const attributes of of('say/20'))
    expect(attributes).toMatchObject({ 'gen_ai.response.finish_reasons': ['stop'], 'gen_ai.usage.output_tokens': 20 })
  expect(of('say/20')).toHaveLength(2)
  expect(of('pace/20/500').map((attributes) => attributes['error.type'])).toEqual(['canceled', 'canceled'])
})

test("the caller's trace is continued and passed on; malformed headers are ignored, and nothing is passed on without telemetry", async () => {
  const { chat, channel, flush, upstream } = await fixture()
  await channel('say/5')
  const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'
  await chat('say/5', {}, { headers: { traceparent, tracestate } })
  const [attempt, call] = await flush()
  expect(call).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, traceState: tracestate })
  expect(upstream.journal[0]?.headers.get('traceparent')).toBe(`00-${TRACE}-${attempt?.spanId}-01`)
  expect(upstream.journal[0]?.headers.get('tracestate')).toBe(tracestate)
  const malformed = [`00-${'0'.repeat(32)}-${PARENT}-01`, `ff-${TRACE}-${PARENT}-01`, `${traceparent}-more`, 'x']
  for (const bad of malformed) await chat('say/5', {}, { headers: { traceparent: bad, tracestate } })
  for (const { headers } of upstream.journal.slice(1)) {
    expect(headers.get('traceparent')).not.toContain(TRACE)
    expect(headers.has('tracestate')).toBe(false)
  }
  const off = await relayFixture()
  await off.channel('say/5')
  await off.chat('say/5', {}, { headers: { traceparent, tracestate } })
  expect(off.upstream.journal[0]?.headers.has('traceparent')).toBe(false)
  expect(off.app.parts.telemetry).toBeUndefined()
})

test('an unsampled caller is not traced, but still counted', async () => {
  const { chat, channel, flush, collector, upstream } = await fixture()
  await channel('say/5')
  await chat('say/5', {}, { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } })
  expect(await flush()).toEqual([])
  expect(upstream.journal[0]?.headers.get('traceparent')).toEndWith('-00')
  expect(collector.series('gen_ai.server.request.duration').map(({ count }) => count)).toEqual([1])
})

test('metrics have the same values as a scrape, and those of the conventions', async () => {
  const { app, chat, channel, flush, collector } = await fixture()
  const { id } = await channel('fixed/12/10')
  for (let call = 0; call < 3; call++) await chat('fixed/12/10', { max_tokens: 10 })
  await flush()
  const scraped = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const text = await scraped.text()
  for (const name of ['tollgate_calls_total', 'tollgate_tokens_total', 'tollgate_quota_total']) {
    const series = collector.series(name)
    expect(series.length).toBeGreaterThan(0)
    for (const { labels, value } of series) {
      const names = Object.entries(labels).map(([label, of]) => `${label}="${of}"`)
      expect(text).toContain(`${name}{${names.join(',')}} ${value}\n`)
    }
  }
  expect(collector.series('tollgate_call_seconds')).toMatchObject([{ labels: { channel: String(id) }, count: 3 }])
  const usage = collector.series('gen_ai.client.token.usage')
  expect(usage.map(({ labels, value, count }) => [labels['gen_ai.token.type'], value, count])).toEqual([
    ['input', 36, 3],
    ['output', 30, 3],
  ])
})

test('neither prompts nor answers nor any key are in a span', async () => {
  const { chat, channel, flush, collector, key } = await fixture()
  await channel('say/5', { key: 'sk-secret-of-the-vendor' })
  const messages = [{ role: 'user', content: 'the treasure is under the oak' }]
  const answer = await (await chat('say/5', { messages })).json()
  await flush()
  const sent = collector.received.map(({ body }) => body).join('\n')
  for (const secret of ['treasure', answer.choices[0].message.content, 'sk-secret-of-the-vendor', key])
    expect(sent).not.toContain(secret)
})

test('a dead collector changes nothing for calls, and the process still stops', async () => {
  const dead = { ...fakeCollector(), url: `http://127.0.0.1:${await freePort()}` }
  const { chat, channel, app } = await fixture(dead)
  await channel('say/5')
  for (let call = 0; call < 5; call++) expect((await chat('say/5', { stream: call % 2 === 0 })).status).toBe(200)
  await app.parts.telemetry?.close()
  expect(app.parts.telemetry?.dropped()).toBe(10)
  expect(app.lines.filter((line) => line.includes('A collector did not take'))).toHaveLength(2)
  expect(app.lines.join('\n')).not.toContain('to let in')
  expect(await app.audit()).toEqual([])
})
