import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { fakeRealtime, realtimeCaller, realtimeUsage } from '../testing/fake-realtime.ts'
import { MESSAGES, type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'

// Each round is a call, possibly on a busy machine.
setDefaultTimeout(60_000)

type Fault = ReturnType<typeof failingBuiltin>

/** A function of the runtime that fails when the relay uses it for the n-th time: a bug in whichever step that is. */
function failingBuiltin(home: object, name: string) {
  const builtin: unknown = Reflect.get(home, name)
  if (typeof builtin !== 'function') throw new Error(`${name} is no function`)
  let uses = 0
  let fatal = 0
  const failing = new Proxy(builtin, {
    apply(target, self, given) {
      const isRelay = /\/relay\/(?!failed-settlements)/.test(new Error().stack ?? '')
      if (isRelay && ++uses === fatal) throw new TypeError('A bug')
      return Reflect.apply(target, self, given)
    },
  })
  Reflect.set(home, name, failing)
  onTestFinished(() => void Reflect.set(home, name, builtin))
  return {
    failAt(use: number) {
      uses = 0
      fatal = use
    },
    count: () => uses,
  }
}

/** Prices are BigInts; usage is looked through by its values; a log row has rounded times and is partly JSON. */
const BUILTINS: Record<string, () => Fault> = {
  BigInt: () => failingBuiltin(globalThis, 'BigInt'),
  'Object.values': () => failingBuiltin(Object, 'values'),
  'Math.round': () => failingBuiltin(Math, 'round'),
  'JSON.stringify': () => failingBuiltin(JSON, 'stringify'),
}

/** Calls that end in different ways. */
const CALLS: Record<string, (world: RelayFixture & { proxyId: number }) => Promise<unknown>> = {
  'a complete answer': ({ chat }) => chat('fixed/12/10').then((response) => response.text()),
  'a stream': ({ chat }) => chat('say/20', { stream: true }).then((response) => response.text()),
  async 'a stream that its client leaves'({ chat }) {
    const client = new AbortController()
    const { body } = await chat('pace/20/10', { stream: true }, { signal: client.signal })
    await body?.getReader().read()
    client.abort()
  },
  'a stream that its vendor breaks off': ({ chat }) =>
    chat('fault/end-mid', { stream: true }).then((response) => response.text()),
  'a translated stream': ({ post }) =>
    post('/v1/messages', { model: 'say/20', max_tokens: 50, messages: MESSAGES, stream: true }).then((r) => r.text()),
  'a proxied call': ({ app, key, proxyId }) =>
    fetch(`${app.url}/v1/oneapi/proxy/${proxyId}/ping`, { headers: { authorization: `Bearer ${key}` } }).then((r) =>
      r.text(),
    ),
  async 'a conversation'({ app, key }) {
    const caller = await realtimeCaller(`${app.url}/v1/realtime?model=rt`, { key })
    caller.send({ type: 'response.create' })
    await Promise.race([caller.next('response.done'), caller.closed])
    caller.socket.close(1000)
  },
}

const CASES = Object.keys(BUILTINS).flatMap((builtin) => Object.keys(CALLS).map((call) => [builtin, call] as const))

test.each(CASES)('whichever use of %s fails in %s, the hold is settled', async (builtin, call) => {
  const world = await relayFixture({ options: { DefaultModelRatio: 1, ReadOnSeconds: 0, ProxyCallPrice: 5 } })
  const used = realtimeUsage({ text_tokens: 10 }, { text_tokens: 5 })
  const vendor = fakeRealtime({ answer: (_, session) => session.respond(used) })
  await world.channel('rt', { type: 1, base_url: vendor.url })
  await world.channel('fixed/12/10,say/20,pace/20/10,fault/end-mid')
  const { id: proxyId } = await world.channel('', { type: 43, base_url: world.upstream.url })
  const fault = BUILTINS[builtin]?.() ?? expect.unreachable()
  for (let use = 1; ; use++) {
    // Whether the caller gets an answer depends on the step that fails.
    fault.failAt(use)
    await CALLS[call]?.({ ...world, proxyId }).catch(() => {})
    await world.atRest()
    const isOver = fault.count() < use
    fault.failAt(0)
    if (isOver) break
  }
  expect(await world.app.audit()).toEqual([])
})
