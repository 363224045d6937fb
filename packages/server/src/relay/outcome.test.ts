import { expect, setDefaultTimeout, test } from 'bun:test'
import { failureOf } from '@tollgate/providers'
import { GatewayError } from '../common/errors.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { AllFailed } from '../upstream/open.ts'
import { outcomeOfError } from './outcome.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test.each([
  [new GatewayError('relay.bad_key'), 'access'],
  [new GatewayError('relay.key_exhausted'), 'access'],
  [new GatewayError('quota.user', { needed: '1' }), 'access'],
  [new GatewayError('relay.model_refused', { model: 'm', hint: '' }), 'access'],
  [new GatewayError('http.too_many'), 'rate_limited'],
  [new GatewayError('relay.bad_body', { reason: 'model' }), 'client_error'],
  [new GatewayError('relay.no_model'), 'client_error'],
  [new GatewayError('relay.unknown_model', { model: 'm', hint: '' }), 'client_error'],
  [new GatewayError('relay.client_left'), 'canceled'],
  [new GatewayError('relay.channels_resting', { model: 'm', seconds: 1 }), 'upstream_error'],
  [new GatewayError('relay.restarting'), 'upstream_error'],
  [new Error('a mistake of ours'), 'upstream_error'],
  [new AllFailed(failureOf('client', 'too long')), 'client_error'],
  [new AllFailed(failureOf('rate', 'the vendor is busy')), 'upstream_error'],
  [new AllFailed(failureOf('auth', 'the key of the channel')), 'upstream_error'],
  [new AllFailed(failureOf('timeout', 'too slow')), 'timeout'],
] as const)('%p is classified by who caused it: %s', (error, outcome) => {
  expect(outcomeOfError(error)).toBe(outcome)
})

test('every call has its outcome in the log', async () => {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1, RetryTimes: 0 } })
  await fixture.channel('say/3,fault/bad-request,fault/error-mid,pace/20/500')
  await fixture.channel('fault/rate')
  const ended = async (model: string, fields: object = {}) => (await fixture.chat(model, fields)).text()
  await ended('say/3')
  await ended('fault/bad-request')
  await ended('fault/rate')
  await ended('fault/error-mid', { stream: true })
  const client = new AbortController()
  const left = await fixture.chat('pace/20/500', { stream: true }, { signal: client.signal })
  await left.body?.getReader().read()
  client.abort()
  await fixture.atRest()
  const outcomes = (await fixture.logs()).map(({ model_name, outcome }) => [model_name, outcome])
  expect(outcomes).toEqual([
    ['say/3', 'success'],
    ['fault/bad-request', 'client_error'],
    ['fault/rate', 'upstream_error'],
    ['fault/error-mid', 'upstream_error'],
    ['pace/20/500', 'canceled'],
  ])
  const page = await fixture.payer.client.get('/api/log/self')
  expect(page.data.map((log: { outcome: string }) => log.outcome)).toContain('canceled')
})
