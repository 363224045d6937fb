import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OUTCOMES, type Outcome } from '@tollgate/contract'
import { z } from 'zod'
import type { CallLog } from '../ledger/books.ts'
import { testApp } from '../testing/app.ts'
import { callLog } from '../testing/ledger-fixture.ts'
import { freePort } from '../testing/outside/free-port.ts'
import { prometheusServer } from '../testing/outside/prometheus-server.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { createCallMetrics } from './call-metrics.ts'
import { exposition, label } from './exposition.ts'

setDefaultTimeout(90_000)

const TOKEN = 'scrape-me-if-you-can'

const scrape = (url: string, token = TOKEN) =>
  fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })

/** `name{labels}` and its value, of every line. */
const series = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line): [string, number] => [
        line.slice(0, line.lastIndexOf(' ')),
        Number(line.slice(line.lastIndexOf(' '))),
      ]),
  )

test('without a token there are no metrics, and with one only for those who present it', async () => {
  const off = await testApp()
  const none = await scrape(off.url)
  expect([none.status, await none.text()]).toEqual([404, expect.stringContaining('METRICS_TOKEN')])
  const app = await testApp({ metricsToken: TOKEN })
  expect((await fetch(`${app.url}/metrics`)).status).toBe(401)
  expect((await scrape(app.url, `${TOKEN}x`)).status).toBe(401)
  const answer = await scrape(app.url)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(await answer.text()).toContain('tollgate_open_calls 0\n')
})

test('a call is counted by model, channel and outcome, with its tokens and cost', async () => {
  const { app, channel, chat, account } = await relayFixture({
    options: { DefaultModelRatio: 1 },
    config: { metricsToken: TOKEN },
  })
  const { id } = await channel('fixed/12/10,fault/server')
  for (let call = 0; call < 3; call++) expect((await chat('fixed/12/10', { max_tokens: 10 })).status).toBe(200)
  expect((await chat('fault/server')).ok).toBe(false)
  const found = series(await (await scrape(app.url)).text())
  const of = (name: string, more: string, model = 'fixed/12/10') =>
    found.get(`${name}{model="${model}",channel="${id}"${more}}`)
  expect(of('tollgate_calls_total', ',outcome="success"')).toBe(3)
  expect(of('tollgate_calls_total', ',outcome="upstream_error"', 'fault/server')).toBe(1)
  expect(of('tollgate_tokens_total', ',kind="input"')).toBe(36)
  expect(of('tollgate_tokens_total', ',kind="output"')).toBe(30)
  expect(of('tollgate_quota_total', '')).toBe((await account()).used_quota)
  expect(found.get(`tollgate_call_seconds_count{channel="${id}"}`)).toBe(4)
  expect(found.get('tollgate_ledger_commits_total')).toBeGreaterThan(0)
})

test('a name cannot break out of its label, and with any number of models and channels a scrape stays small', () => {
  expect(label('model', 'a"b\\c\nd')).toBe('model="a\\"b\\\\c\\nd"')
  const metrics = createCallMetrics()
  for (let channel = 1; channel <= 300; channel++) {
    for (let model = 0; model < 200; model++) metrics.count(row({ channel, model_name: `m${model}` }))
  }
  const found = series(exposition(metrics.read()))
  const calls = [...found].filter(([name]) => name.startsWith('tollgate_calls_total'))
  expect(calls.length).toBe(1001)
  expect(calls.reduce((sum, [, count]) => sum + count, 0)).toBe(60_000)
  expect(found.get('tollgate_calls_total{model="other",channel="other",outcome="success"}')).toBe(59_000)
})

test('buckets contain everything up to their bound, and every outcome has its own series', () => {
  const metrics = createCallMetrics()
  for (const outcome of OUTCOMES) metrics.count(row({ outcome, elapsed_time: 1500, first_byte_time: 100 }))
  const found = series(exposition(metrics.read()))
  const bucket = (name: string, le: string) => found.get(`tollgate_${name}_seconds_bucket{channel="1",le="${le}"}`)
  expect([bucket('call', '1'), bucket('call', '2'), bucket('call', '+Inf')]).toEqual([0, 7, 7])
  expect([bucket('first_byte', '0.05'), bucket('first_byte', '0.1')]).toEqual([0, 7])
  expect([...found.keys()].filter((name) => name.startsWith('tollgate_calls_total'))).toHaveLength(OUTCOMES.length)
})

test('a real Prometheus scrapes them, and answers every query of the dashboard', async () => {
  const { app, channel, chat } = await relayFixture({ config: { metricsToken: TOKEN } })
  await channel('say/20,fault/server')
  for (const model of ['say/20', 'say/20', 'fault/server']) await (await chat(model, { stream: true })).text()
  const prometheus = await prometheusServer({ url: app.url, token: TOKEN }, await freePort())
  const [calls] = await prometheus.answerTo('sum(tollgate_calls_total)')
  expect(calls?.value).toBe(3)
  for (const question of dashboardQuestions()) await prometheus.answerTo(question)
})

/** Its expressions, over everything, as Grafana would send them. */
function dashboardQuestions() {
  const file = readFileSync(join(import.meta.dir, '../../../../deploy/grafana/tollgate.json'), 'utf8')
  const { panels } = z
    .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) })
    .parse(JSON.parse(file))
  return panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll(/\$(channel|model)/g, '.*').replaceAll('$__rate_interval', '5s')),
  )
}

const row = (changes: Partial<CallLog> & { outcome?: Outcome }) => callLog({ channel: 1, ...changes })
