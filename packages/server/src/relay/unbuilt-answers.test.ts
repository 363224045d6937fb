import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { setLimits } from '../testing/limit-makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/** The runtime refuses to build the next response that has this header, as it does for a value that no header may have. */
function refuseNextResponse(header: string) {
  const Builtin = globalThis.Response
  const restore = () => {
    globalThis.Response = Builtin
  }
  onTestFinished(restore)
  globalThis.Response = class extends Builtin {
    constructor(body?: ConstructorParameters<typeof Builtin>[0], init?: ResponseInit) {
      if (new Headers(init?.headers).has(header)) {
        restore()
        throw new TypeError('Invalid header value')
      }
      super(body, init)
    }
  } as typeof Builtin
}

test.each([
  { stream: true, header: 'x-accel-buffering', cost: 0 },
  // The charge is durable before the answer is built.
  { stream: false, header: 'x-tollgate-cost', cost: 22 },
])('an answer that cannot be built leaves nothing open (stream: $stream)', async ({ stream, header, cost }) => {
  const world = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const { app, payer, chat, upstream, atRest } = world
  await world.channel('fixed/12/10,pace/5/400')
  await setLimits(world, { key: { concurrency: 1 } })
  refuseNextResponse(header)
  const model = stream ? 'pace/5/400' : 'fixed/12/10'
  const refused = await chat(model, { stream })
  expect([refused.status, (await refused.json()).error.code]).toEqual([500, 'server_internal'])
  await atRest()
  if (stream) await upstream.until(([first]) => first?.aborted === true)
  expect(await world.account()).toMatchObject({ held: 0, used_quota: cost })
  const { limits } = (await payer.client.get('/api/user/self/limits')).data
  expect(limits).toMatchObject([{ concurrency: { used: 0 } }])
  expect((await chat('fixed/12/10')).status).toBe(200)
  expect(await app.audit()).toEqual([])
})
