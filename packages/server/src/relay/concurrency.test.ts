import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeAdmin } from '../testing/makers.ts'
import { untilNoneOpen } from '../testing/observed-load.ts'
import { makeCodes } from '../testing/redemption-makers.ts'
import { type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'
import { makeToken, storedToken } from '../testing/token-makers.ts'

// A thousand calls, possibly on a busy machine.
setDefaultTimeout(120_000)

/* A call whose price is known in advance: it is held, reported and charged at exactly 22. */
const MODEL = 'fixed/12/10'
const LIMIT = { max_tokens: 10 }
const PRICE = 22

const fixture = (quota: number) => relayFixture({ quota, options: { DefaultModelRatio: 1 } })

/** This many concurrent calls, half of them streams; returns how many got which status. */
async function callMany({ chat }: RelayFixture, calls: number, key?: string) {
  const outcomes = await Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      const sent = key === undefined ? {} : { key }
      const response = await chat(MODEL, { ...LIMIT, stream: index % 2 === 0 }, sent)
      const text = await response.text()
      if (response.ok) return text.includes('[DONE]') || text.includes('"finish_reason":"stop"') ? 'whole' : 'cut'
      return String(JSON.parse(text).error.code)
    }),
  )
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

test('of 1,000 calls at once with a balance for 50, exactly 50 succeed, and nothing is left or owed [R1.11]', async () => {
  const world = await fixture(50 * PRICE)
  const { app, channel, account, upstream, openHolds, charges } = world
  await channel(MODEL)
  expect(await callMany(world, 1000)).toEqual({ whole: 50, insufficient_quota: 950 })
  expect(await account()).toEqual({ quota: 0, held: 0, used_quota: 50 * PRICE, request_count: 50 })
  expect(await openHolds()).toEqual([])
  expect(upstream.journal).toHaveLength(50)
  expect(new Set((await charges()).map(({ ref }) => ref)).size).toBe(50)
  expect(await app.audit()).toEqual([])
})

test('of 1,000 calls at once with a key for 50, exactly 50 succeed, and the key is exhausted', async () => {
  const world = await fixture(10_000_000)
  const { app, channel, payer, account, openHolds } = world
  await channel(MODEL)
  const token = await makeToken(payer.client, { unlimited_quota: false, remain_quota: 50 * PRICE })
  const counts = await callMany(world, 1000, `sk-${token.key}`)
  const { whole, ...refused } = counts
  expect(whole).toBe(50)
  // Calls after the last of it was spent find the key exhausted; earlier ones find the rest held by others.
  const reasons = ['insufficient_quota', 'relay_key_disabled']
  expect(Object.keys(refused).filter((reason) => !reasons.includes(reason))).toEqual([])
  const stored = await storedToken(app, token.id)
  expect(stored).toMatchObject({ remain_quota: 0, held: 0, used_quota: 50 * PRICE, status: 4 })
  expect(await account()).toMatchObject({ quota: 10_000_000 - 50 * PRICE, held: 0, request_count: 50 })
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('two keys of one user cannot spend its balance twice', async () => {
  const world = await fixture(20 * PRICE)
  const { app, channel, payer, account, key } = world
  await channel(MODEL)
  const other = await makeToken(payer.client, { unlimited_quota: true })
  const [one, two] = await Promise.all([callMany(world, 100, key), callMany(world, 100, `sk-${other.key}`)])
  expect((one.whole ?? 0) + (two.whole ?? 0)).toBe(20)
  expect(await account()).toMatchObject({ quota: 0, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('edits, top-ups and other requests of the owner while calls are active lose nothing and give nothing back', async () => {
  const world = await fixture(1_000_000)
  const { app, root, channel, payer, account, openHolds } = world
  await channel(MODEL)
  const { client: admin } = await makeAdmin(app)
  const codes = await makeCodes(admin, { quota: 1000, count: 20 })
  const calls = 200
  const rounds = Array.from({ length: 20 })
  const [counts] = await Promise.all([
    callMany(world, calls),
    // An edit based on an older balance, to which it adds 7.
    ...rounds.map(() =>
      root.put('/api/user/', { id: payer.id, username: payer.username, quota: 507, quota_base: 500 }),
    ),
    ...codes.map((key) => payer.client.post('/api/user/topup', { key })),
    // Requests that write to the user's row for other reasons must not write an old balance back.
    ...rounds.map(() => payer.client.get('/api/user/token')),
    ...rounds.map((_, index) => payer.client.put('/api/user/self', { display_name: `name ${index}` })),
  ])
  expect(counts).toEqual({ whole: calls })
  expect(await account()).toEqual({
    quota: 1_000_000 + 20 * 7 + 20 * 1000 - calls * PRICE,
    held: 0,
    used_quota: calls * PRICE,
    request_count: calls,
  })
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('edits of a key’s limit while it spends count from what the editor saw', async () => {
  const world = await fixture(1_000_000)
  const { app, channel, payer } = world
  await channel(MODEL)
  const token = await makeToken(payer.client, { unlimited_quota: false, remain_quota: 100_000 })
  const edits = Array.from({ length: 20 }, () =>
    payer.client.put('/api/token/', { id: token.id, remain_quota: 100_005, remain_quota_base: 100_000 }),
  )
  const [counts, ...edited] = await Promise.all([callMany(world, 200, `sk-${token.key}`), ...edits])
  expect(counts).toEqual({ whole: 200 })
  expect(edited.map(({ status, message }) => [status, message])).toEqual(Array(20).fill([200, '']))
  expect(await untilNoneOpen(app, 20_000)).toEqual([])
  const expected = { remain_quota: 100_000 + 20 * 5 - 200 * PRICE, used_quota: 200 * PRICE, held: 0, status: 1 }
  expect(await storedToken(app, token.id)).toMatchObject(expected)
  expect(await app.audit()).toEqual([])
})

test('concurrent calls with every kind of outcome leave the ledger correct', async () => {
  const world = await fixture(1_000_000)
  const { app, channel, chat, account, atRest, charges } = world
  const models = [MODEL, 'fault/server', 'fault/error-mid', 'fault/stall-mid', 'fault/bad-request', 'usage/none']
  await channel(models.join(','))
  await Promise.all(
    Array.from({ length: 240 }, async (_, index) => {
      const model = models[index % models.length] ?? MODEL
      const client = new AbortController()
      const stream = model.startsWith('fault/') || index % 4 === 0
      const response = await chat(model, { stream, max_tokens: 50 }, { signal: client.signal })
      if (model === 'fault/stall-mid') {
        await response.body?.getReader().read()
        client.abort()
        return
      }
      await response.text()
    }),
  )
  await atRest()
  const spent = (await charges()).reduce((sum, { delta }) => sum - delta, 0)
  expect(await account()).toMatchObject({ quota: 1_000_000 - spent, held: 0, used_quota: spent })
  expect(await app.audit()).toEqual([])
})
