import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { providerOf } from '@tollgate/providers'
import { storedChannel } from '../../testing/channel-makers.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'
import { type ReceivedRequest, replayedVendors } from '../../testing/replayed-vendors.ts'

setDefaultTimeout(60_000)

/* Vendors that require a short-lived token instead of the key, and may refuse one before it expires. */

const derived = CHANNEL_TYPES.filter(({ value }) => {
  const { mint, exchange } = providerOf(value) ?? {}
  return mint !== undefined || exchange !== undefined
}).map(({ key, value }) => ({ key, type: value }))

/** How each vendor refuses a token. */
const REFUSALS: Record<string, readonly (() => Response)[]> = {
  baidu: [
    () => Response.json({ error_code: 110, error_msg: 'Access token invalid or no longer valid' }),
    () => Response.json({ error_code: 111, error_msg: 'Access token expired' }),
  ],
  zhipu: [() => Response.json({ error: { code: '1003', message: 'The token has expired' } }, { status: 401 })],
  vertex: [
    () => Response.json({ error: { code: 401, status: 'UNAUTHENTICATED', message: 'Expired' } }, { status: 401 }),
  ],
}

const MODELS: Record<string, string> = { baidu: 'ERNIE-4.0-8K', zhipu: 'glm-4', vertex: 'claude-fable-5' }

test('every vendor with short-lived tokens is covered', () => {
  expect(derived.map(({ key }) => key).sort()).toEqual(Object.keys(REFUSALS).sort())
})

const CASES = derived.flatMap(({ key, type }) =>
  (REFUSALS[key] ?? []).map((refusal, index) => ({ key, type, refusal, name: `${key} ${index + 1}` })),
)

interface Case {
  key: string
  type: number
  refusal: () => Response
}

const isForToken = ({ path }: ReceivedRequest) => path === '/oauth/2.0/token' || path === '/token'

/** A channel whose vendor issues numbered tokens, and accepts those that the test does not refuse. */
async function fixture({ key, type, refusal }: Case) {
  const relay = await relayFixture({ options: { AutomaticDisableChannelEnabled: true } })
  const refused = new Set<string>()
  let given = 0
  let isTokenAway = false
  let isEveryOneRefused = false
  const vendors = replayedVendors((asked) => {
    if (isForToken(asked) && isTokenAway) return new Response('', { status: 500 })
    if (isForToken(asked)) return Response.json({ access_token: `token-${++given}`, expires_in: 86_400 })
    return isEveryOneRefused || refused.has(tokenOf(asked)) ? refusal() : undefined
  })
  onTestFinished(() => vendors.stop())
  const model = MODELS[key] ?? ''
  const { id } = await relay.channel(model, vendors.fieldsOf(type))
  return {
    ...relay,
    id,
    model,
    /** The requests since then, except for the tokens themselves. */
    calls: () => vendors.journal.splice(0).filter((asked) => !isForToken(asked)),
    tokensGiven: () => given,
    /** From now on the vendor refuses all tokens that it has seen. */
    refuseKnown() {
      for (const asked of vendors.journal) refused.add(tokenOf(asked))
      vendors.journal.length = 0
      // A token that we sign ourselves differs from the previous one by its time.
      relay.app.clock.pass(5)
    },
    refuseAll: () => {
      isEveryOneRefused = true
    },
    loseTokens: () => {
      isTokenAway = true
    },
    status: async () => (await storedChannel(relay.app, id)).status,
  }
}

const tokenOf = ({ headers, query }: ReceivedRequest) =>
  headers.get('authorization') ?? new URLSearchParams(query).get('access_token') ?? ''

type World = Awaited<ReturnType<typeof fixture>>

const WAYS: Record<string, (world: World) => Promise<boolean>> = {
  'a call': async ({ chat, model }) => (await chat(model)).status === 200,
  'a stream': async ({ chat, model }) => (await (await chat(model, { stream: true })).text()).includes('[DONE]'),
  'a call in another dialect': async ({ post, model }) =>
    (await post('/v1/messages', { model, max_tokens: 64, messages: MESSAGES })).status === 200,
  'a test of the channel': async ({ root, id }) => (await root.get(`/api/channel/test/${id}`)).success,
}

const LISTING: typeof WAYS = {
  'the list of models': async ({ root, id }) => (await root.get(`/api/channel/fetch_models/${id}`)).success,
}

test.each(CASES)('a refused token is replaced once, and nobody notices: $name', async (vendor) => {
  const world = await fixture(vendor)
  const ways = providerOf(vendor.type)?.models === undefined ? WAYS : { ...WAYS, ...LISTING }
  expect(await WAYS['a call']?.(world)).toBe(true)
  for (const [name, ask] of Object.entries(ways)) {
    world.refuseKnown()
    expect([name, await ask(world)]).toEqual([name, true])
    const [before, after = '', ...more] = world.calls().map(tokenOf)
    expect([name, more]).toEqual([name, []])
    expect([name, before === after]).toEqual([name, false])
    // The new one is kept.
    expect([name, await ask(world), world.calls().map(tokenOf)]).toEqual([name, true, [after]])
    expect(await WAYS['a call']?.(world)).toBe(true)
  }
  expect(await world.status()).toBe(1)
})

test.each(CASES)('a key whose fresh token is refused too is tried twice, not forever: $name', async (vendor) => {
  const world = await fixture(vendor)
  expect(await WAYS['a call']?.(world)).toBe(true)
  world.refuseKnown()
  world.refuseAll()
  expect((await world.chat(world.model)).status).toBe(502)
  expect(world.calls()).toHaveLength(2)
})

test.each(CASES.filter(({ type }) => providerOf(type)?.exchange !== undefined))(
  'a vendor that temporarily issues no token does not disable its channel: $name',
  async (vendor) => {
    const world = await fixture(vendor)
    expect(await WAYS['a call']?.(world)).toBe(true)
    world.refuseKnown()
    world.loseTokens()
    expect((await world.chat(world.model)).status).toBe(500)
    expect(await world.status()).toBe(1)
  },
)

test('a new account of a channel gets a new token, also if the key itself stays empty', async () => {
  const vertex = CASES.find(({ key }) => key === 'vertex')
  if (vertex === undefined) throw new Error('There is no such vendor')
  const world = await fixture(vertex)
  expect(await WAYS['a call']?.(world)).toBe(true)
  expect(world.tokensGiven()).toBe(1)
  const again = replayedVendors()
  onTestFinished(() => again.stop())
  const { config } = again.fieldsOf(vertex.type)
  await world.root.put('/api/channel/', { id: world.id, config })
  expect(await WAYS['a call']?.(world)).toBe(true)
  expect(again.journal.filter(isForToken)).toHaveLength(1)
})
