import { expect, setDefaultTimeout, test } from 'bun:test'
import { PROMPT, PROMPT_HELD, REPORTED } from '../testing/call-costs.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { refusedAddress } from '../testing/fake-upstream.ts'
import { type RawFault, rawUpstream } from '../testing/raw-upstream.ts'
import { ASKS_COST, readStream, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/*
 * Everything that can go wrong on the provider's side, for plain calls and streams, with and without a second channel. Every token
 * costs 1.
 */

/** For the prompt, and for an answer without a limit. */
const HELD = PROMPT_HELD + 500

interface Fault {
  /** The provider's model that misbehaves, or the failure of its machine. */
  name: string
  raw?: RawFault
  refused?: true
  /** The clock has to move before the fault is noticed. */
  waitSec?: number
  outcome: Outcome
  /** What the log says about the attempt. */
  reason?: string
  /** Only for calls of this kind. */
  only?: 'plain' | 'stream'
}

type Outcome =
  /** Nothing reached the client: another channel may be tried. */
  | { phase: 'before'; status: number }
  /** The caller's own mistake: no other channel is tried. */
  | { phase: 'caller'; status: number }
  /** In the middle of an answer: it is too late for another channel. */
  | { phase: 'middle'; charge: number; content: string; flag: 'partial' | 'upstream_error' }
  /** Unusual, but an answer. */
  | { phase: 'answered'; charge: number; content?: string }

const before = (status: number): Outcome => ({ phase: 'before', status })
const caller = (status: number): Outcome => ({ phase: 'caller', status })

const middle = (content: string, charge: number): Outcome => ({
  ...{ phase: 'middle', content, charge, flag: charge === 0 ? 'upstream_error' : 'partial' },
})

const answered = (charge: number, content?: string): Outcome => ({
  ...{ phase: 'answered', charge },
  ...(content === undefined ? {} : { content }),
})

const FAULTS: Fault[] = [
  { name: 'refused connection', refused: true, outcome: before(502) },
  { name: 'reset', raw: 'reset', outcome: before(502) },
  { name: 'closed without a word', raw: 'close', outcome: before(502) },
  { name: 'not HTTP', raw: 'garbage', outcome: before(502) },
  { name: 'a status that is none', raw: 'status-999', outcome: before(502) },
  { name: 'no status', raw: 'status-000', outcome: before(502) },
  { name: 'a NUL in a name', raw: 'nul-in-name', outcome: before(502), reason: 'a header line that is none' },
  { name: 'Latin-1 in a name', raw: 'latin1-in-name', outcome: before(502), reason: 'a header line that is none' },
  { name: 'a type with a NUL', raw: 'bad-type', outcome: before(502), reason: 'a header line that is none' },
  { name: 'bare line feeds', raw: 'bare-line-feed', outcome: before(502), reason: 'a line feed without' },
  { name: '8,000 lines', raw: 'many-lines', outcome: before(502), reason: 'more than 256 header lines' },
  { name: 'a stalled body', raw: 'stalled-body', waitSec: 61, outcome: before(504), reason: 'did not answer in time' },
  { name: 'stalled trailers', raw: 'stalled-trailers', waitSec: 61, outcome: before(504), reason: 'in time' },
  { name: 'a bad chunk', raw: 'bad-chunk', only: 'stream', outcome: middle('Half', PROMPT + 1) },
  { name: 'JSON that is no answer', raw: 'null', outcome: before(502) },
  { name: 'a stream by a loud name', raw: 'loud-type', only: 'stream', outcome: answered(PROMPT + 1, 'Half') },
  { name: 'a stream that is called text', raw: 'text-type', only: 'stream', outcome: answered(PROMPT + 1, 'Half') },
  { name: 'an error after the end', raw: 'error-after-end', only: 'stream', outcome: answered(PROMPT + 1, 'Half') },
  { name: 'reset in the body', raw: 'reset-in-body', outcome: before(502) },
  { name: 'cut body', raw: 'cut-body', outcome: before(502) },
  { name: 'cut chunk', raw: 'cut-chunk', only: 'plain', outcome: before(502) },
  { name: 'cut chunk', raw: 'cut-chunk', only: 'stream', outcome: middle('Half', PROMPT + 1) },
  { name: 'reset in the stream', raw: 'reset-in-stream', only: 'stream', outcome: middle('Half', PROMPT + 1) },
  { name: 'reset after the end', raw: 'reset-at-end', only: 'stream', outcome: answered(PROMPT + 1, 'Half') },
  { name: 'fault/linger', only: 'stream', outcome: answered(REPORTED) },
  { name: 'fault/hang', waitSec: 400, outcome: before(504) },
  { name: 'fault/stall-first', only: 'stream', waitSec: 301, outcome: middle('', 0) },
  { name: 'fault/stall-mid', only: 'stream', waitSec: 61, outcome: middle('The bar goes', PROMPT + 3) },
  { name: 'fault/malformed', only: 'stream', outcome: answered(REPORTED) },
  { name: 'fault/not-json', outcome: before(502) },
  { name: 'fault/a-page', outcome: before(502) },
  { name: 'fault/error-in-200', outcome: before(502) },
  { name: 'fault/error-first', only: 'stream', outcome: before(502) },
  { name: 'fault/role-then-error', only: 'stream', outcome: before(502) },
  { name: 'fault/empty', only: 'stream', outcome: before(502) },
  { name: 'fault/error-mid', only: 'stream', outcome: middle('The bar goes', PROMPT + 3) },
  { name: 'fault/end-mid', only: 'stream', outcome: middle('The bar goes', PROMPT + 3) },
  { name: 'fault/no-done', only: 'stream', outcome: answered(REPORTED) },
  { name: 'fault/rate', outcome: before(429) },
  { name: 'fault/server', outcome: before(503) },
  { name: 'fault/bad-gateway', outcome: before(502) },
  { name: 'fault/odd-error', outcome: before(500) },
  // A key that the provider refuses is the operator's mistake, not the caller's.
  { name: 'fault/auth', outcome: before(502) },
  { name: 'fault/quota', outcome: before(502) },
  { name: 'fault/redirect', outcome: before(502) },
  { name: 'fault/huge-line', only: 'stream', outcome: answered(REPORTED) },
  { name: 'fault/endless-line', only: 'stream', outcome: answered(REPORTED) },
  { name: 'usage/huge', outcome: answered(HELD) },
  { name: 'pace/10/10', outcome: answered(REPORTED) },
  { name: 'fault/bad-request', outcome: caller(400) },
  { name: 'fault/unknown-model', outcome: before(404) },
  { name: 'fault/too-large', outcome: caller(413) },
]

const MATRIX = FAULTS.flatMap((fault) =>
  (['plain', 'stream'] as const)
    .filter((way) => fault.only === undefined || fault.only === way)
    .flatMap((way) => [0, 2].map((retries) => ({ ...fault, way, retries }))),
)

async function faultyFixture({ name, raw, refused }: Fault, retries: number) {
  const fixture = await relayFixture({ quota: 10_000_000, options: { DefaultModelRatio: 1, RetryTimes: retries } })
  const broken = raw === undefined ? undefined : await rawUpstream(raw)
  const address = broken?.url ?? (refused === true ? await refusedAddress() : fixture.upstream.url)
  const mapping = broken === undefined && refused === undefined ? name : 'say/10'
  const first = await makeChannel(fixture.root, {
    ...{ type: 8, base_url: address, models: 'm', priority: 10, name: 'broken' },
    model_mapping: JSON.stringify({ m: mapping }),
  })
  const second = await fixture.channel('m', { model_mapping: '{"m":"say/10"}', name: 'whole' })
  return { ...fixture, first, second, broken }
}

type FaultyFixture = Awaited<ReturnType<typeof faultyFixture>>

/** The call, with the clock moved while it hangs. */
async function callThrough(
  { app, upstream, chat, broken }: FaultyFixture,
  { way, waitSec, outcome }: (typeof MATRIX)[number],
) {
  const calling = chat('m', { stream: way === 'stream' }, ASKS_COST)
  if (broken !== undefined && outcome.phase !== 'before') await calling
  broken?.release()
  if (waitSec === undefined) return calling
  const response = outcome.phase === 'middle' ? await calling : undefined
  if (broken !== undefined) return afterStall(calling, broken, app, waitSec)
  await upstream.until(([exchange]) => exchange !== undefined && exchange.tokensSent >= stalledAt(outcome))
  app.clock.pass(waitSec)
  app.parts.watchdog.check()
  return response ?? calling
}

/** Both ends are in this process: after a round trip, everything written before has been read. */
async function afterStall(
  calling: Promise<Response>,
  { hasAnswered }: NonNullable<FaultyFixture['broken']>,
  app: FaultyFixture['app'],
  waitSec: number,
) {
  await hasAnswered
  for (let turn = 0; turn < 2; turn++) await (await fetch(`${app.url}/api/status`)).text()
  app.clock.pass(waitSec)
  app.parts.watchdog.check()
  return calling
}

const stalledAt = (outcome: Outcome) => (outcome.phase === 'middle' && outcome.content !== '' ? 3 : 0)

/** OpenAI's error object, with the request's id in the message that people paste into tickets. */
async function expectErrorShape(response: Response) {
  const id = response.headers.get('x-request-id') ?? '?'
  expect(response.headers.get('content-type')).toBe('application/json')
  const body = await response.json()
  expect(body).toEqual({
    error: { message: expect.any(String), type: expect.any(String), param: body.error.param, code: body.error.code },
  })
  expect(body.error.message).toContain(id)
  expect(body.error.message.length).toBeLessThan(70_000)
}

test.each(MATRIX)(
  '$name ($way, $retries retries): right answer, right charge, nothing left behind [R1.10]',
  async (row) => {
    const { outcome, way, retries } = row
    const fixture = await faultyFixture(row, retries)
    const { app, upstream, first, second, charges, account, openHolds, onlyLog, atRest } = fixture
    const response = await callThrough(fixture, row)
    const saved = outcome.phase === 'before' && retries > 0
    const stream = way === 'stream' && response.ok ? await readStream(response) : undefined

    if (outcome.phase === 'before' || outcome.phase === 'caller') {
      expect(response.status).toBe(saved ? 200 : outcome.status)
      if (!saved) await expectErrorShape(response)
      expect((await charges()).map(({ delta }) => delta)).toEqual(saved ? [-REPORTED] : [])
    }
    if (outcome.phase === 'middle') {
      expect({ content: stream?.content, charge: stream?.cost.cost }).toEqual({
        ...{ content: outcome.content, charge: outcome.charge },
      })
      expect(stream?.error).toMatchObject({ message: expect.any(String), type: expect.any(String) })
      expect(stream?.done).toBe(false)
      expect((await onlyLog()).detail.flag).toBe(outcome.flag)
    }
    if (outcome.phase === 'answered') {
      expect(response.status).toBe(200)
      if (stream !== undefined) expect(stream.done).toBe(true)
      if (outcome.content !== undefined) expect(stream?.content).toBe(outcome.content)
    }
    if (outcome.phase === 'middle' || outcome.phase === 'answered') {
      expect((await charges()).map(({ delta }) => 0 - delta)).toEqual(outcome.charge === 0 ? [] : [outcome.charge])
    }

    // The channels that were tried, each at most once, and what the log says.
    const { detail, request_id } = await onlyLog()
    expect(request_id).toBe(response.headers.get('x-request-id') ?? '')
    expect(detail.attempts.map(({ channel }: { channel: number }) => channel)).toEqual(
      saved ? [first.id, second.id] : [first.id],
    )
    if (row.reason !== undefined) expect(detail.attempts[0].error).toContain(row.reason)
    const whole = upstream.journal.filter(({ model }) => model === 'say/10')
    expect(whole).toHaveLength(saved ? 1 : 0)

    // Nothing leaked.
    if (row.waitSec !== undefined && row.raw === undefined)
      await upstream.until(([exchange]) => exchange?.aborted === true)
    await atRest()
    expect(await openHolds()).toEqual([])
    expect(app.parts.watchdog.running()).toBe(0)
    expect(await account()).toMatchObject({ held: 0 })
    expect(await app.audit()).toEqual([])
  },
)

test('with every channel broken, each is tried once, up to RetryTimes, and the last failure is returned [R1.10]', async () => {
  const { channel, chat, upstream, onlyLog, charges } = await relayFixture({ options: { RetryTimes: 3 } })
  for (let n = 0; n < 6; n++) await channel('fault/server', { name: `broken ${n}` })
  expect((await chat('fault/server')).status).toBe(503)
  const { detail } = await onlyLog()
  const asked = detail.attempts.map(({ channel }: { channel: number }) => channel)
  expect(new Set(asked).size).toBe(4)
  expect(upstream.journal).toHaveLength(4)
  expect(await charges()).toEqual([])
})

test('with fewer channels than retries, no channel is tried twice [R1.10]', async () => {
  const { channel, chat, upstream } = await relayFixture({ options: { RetryTimes: 10 } })
  await channel('fault/server', { group: 'default,vip' })
  await channel('fault/server')
  expect((await chat('fault/server')).status).toBe(503)
  expect(upstream.journal).toHaveLength(2)
})

test('a retry that the balance does not cover is not made, and the hold is released', async () => {
  const { channel, chat, upstream, account, openHolds } = await relayFixture({
    quota: 1000,
    options: { RetryTimes: 2, ModelRatio: '{"fault/server":1,"say/10":100}' },
  })
  await channel('m', { priority: 5, model_mapping: '{"m":"fault/server"}' })
  await channel('m', { model_mapping: '{"m":"say/10"}' })
  expect((await chat('m')).status).toBe(503)
  expect(upstream.journal.map(({ model }) => model)).toEqual(['fault/server'])
  expect(await account()).toMatchObject({ quota: 1000, held: 0 })
  expect(await openHolds()).toEqual([])
})
