import { expect, setDefaultTimeout, test } from 'bun:test'
import { EACH_TOKEN_COSTS_1, ESTIMATED, PROMPT_HELD } from '../../testing/call-costs.ts'
import { PLAIN_AND_STREAM, readded, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const NONSENSE = ['negative', 'negative-output', 'fraction', 'text']

test.each(PLAIN_AND_STREAM.flatMap(({ way, stream }) => NONSENSE.map((name) => ({ way, stream, name }))))(
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

test.each(PLAIN_AND_STREAM.flatMap(({ way, stream }) => TOO_MUCH.map((report) => ({ way, stream, ...report }))))(
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
