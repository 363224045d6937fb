import { expect, setDefaultTimeout, test } from 'bun:test'
import type { HeldCall } from '../../testing/bills/held-call.ts'
import { HELD_CALLS } from '../../testing/bills/held-calls.ts'
import { makeChannel } from '../../testing/channel-makers.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Hundreds of calls, possibly on a busy machine.
setDefaultTimeout(240_000)

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

test('for calls of every operation the hold covers the charge in 99 %, and is at most five times as much in the median', async () => {
  const { app, root, post, account } = await relayFixture({ quota: 1_000_000_000_000 })
  let current: HeldCall | undefined
  let held = 0
  const vendor = fakeVendor(async () => {
    held = app.holds().at(-1)?.amount ?? 0
    return current?.reply() ?? new Response('', { status: 500 })
  })
  for (const type of new Set(HELD_CALLS.map((call) => call.vendor))) {
    const models = new Set(HELD_CALLS.filter((call) => call.vendor === type).map(({ model }) => model))
    await makeChannel(root, { type, base_url: vendor.url, models: [...models].join(',') })
  }
  const seen: { name: string; held: number; charged: number }[] = []
  for (const call of HELD_CALLS) {
    current = call
    const before = await account()
    const answer = await post(call.path, call.body)
    const said = await answer.text()
    expect([call.name, answer.status, answer.status === 200 ? '' : said]).toEqual([call.name, 200, ''])
    const { quota } = await account()
    seen.push({ name: call.name, held, charged: before.quota - quota })
  }
  const short = seen.filter(({ held: at, charged }) => at < charged)
  if (process.env.BILLS === 'print')
    for (const one of seen) process.stdout.write(`${one.name} | ${one.held} | ${one.charged}\n`)
  expect(seen.length).toBeGreaterThan(500)
  expect(short.length / seen.length, JSON.stringify(short)).toBeLessThanOrEqual(0.01)
  expect(median(seen.map(({ held: at, charged }) => at / charged))).toBeLessThanOrEqual(5)
  expect(await app.audit()).toEqual([])
})
