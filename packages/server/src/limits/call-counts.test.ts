import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createCallCounts } from './call-counts.ts'
import type { LimitClaim } from './counter.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_117)

function counting() {
  const clock = { ms: 0, now: () => 1_800_000_000_000, monotonic: () => clock.ms }
  const counts = createCallCounts(clock)
  const passes = async (...claims: LimitClaim[]) => (await counts.take(claims)).refused === undefined
  const allowed = async (times: number, ...claims: LimitClaim[]) => {
    let passed = 0
    for (let turn = 0; turn < times; turn++) if (await passes(...claims)) passed++
    return passed
  }
  return { clock, counts, passes, allowed }
}

const minute = (key: string, limit: number, amount = 1): LimitClaim => ({ kind: 'minute', key, limit, amount })
const open = (key: string, limit: number): LimitClaim => ({ kind: 'open', key, limit, amount: 1 })

test('a limit of any size is that many, and no more', async () => {
  for (const limit of [1, 7, 13, 999, 59_999, 120_001]) {
    const { allowed } = counting()
    expect(await allowed(limit + 5, minute('a', limit))).toBe(limit)
  }
})

test('a call is counted by all of its limits or by none', async () => {
  const { counts, passes, allowed } = counting()
  expect(await allowed(10, minute('wide', 10), minute('narrow', 2), open('calls', 5))).toBe(2)
  expect(await counts.read([minute('wide', 10), open('calls', 5)])).toEqual([12_000, 2])
  expect(await passes(minute('wide', 10, 8))).toBe(true)
  expect(await passes(minute('wide', 10))).toBe(false)
})

test('the refusal is by the limit that takes longest', async () => {
  const { counts, passes } = counting()
  await passes(minute('fast', 60), minute('slow', 1), open('calls', 1))
  const { refused } = await counts.take([minute('fast', 60), minute('slow', 1), open('calls', 1)])
  expect(refused).toEqual({ at: 1, waitMs: 60_000 })
})

test('usage beyond the estimate is waited for, at most ten minutes', async () => {
  const { clock, counts, passes } = counting()
  expect(await passes(minute('tokens', 100, 50))).toBe(true)
  counts.correct([minute('tokens', 100, 1_000_000)])
  clock.ms += 9 * 60_000 - 1
  expect(await passes(minute('tokens', 100))).toBe(false)
  clock.ms += 1000
  expect(await passes(minute('tokens', 100))).toBe(true)
})

test('releasing never exceeds the whole limit', async () => {
  const { counts, allowed } = counting()
  counts.correct([minute('tokens', 10, -50)])
  expect(await allowed(20, minute('tokens', 10))).toBe(10)
})

test('open calls are those that were taken and not released', async () => {
  const { counts, allowed } = counting()
  expect(await allowed(9, open('calls', 3))).toBe(3)
  counts.release([open('calls', 3)])
  expect(await counts.read([open('calls', 3)])).toEqual([2])
  expect(await allowed(9, open('calls', 3))).toBe(1)
})

test('at any rate of calls, no interval lets more through than the limit and its share of that time', async () => {
  const step = fc.record({ ms: fc.integer({ min: 0, max: 40_000 }), amount: fc.integer({ min: 1, max: 40 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const { clock, passes } = counting()
      const passed: { at: number; amount: number }[] = []
      for (const { ms, amount } of steps) {
        clock.ms += ms
        if (await passes(minute('tokens', 60, amount))) passed.push({ at: clock.ms, amount })
      }
      for (const [from, first] of passed.entries()) {
        let sum = 0
        for (const { at, amount } of passed.slice(from)) {
          sum += amount
          expect(sum).toBeLessThanOrEqual(60 + (at - first.at) / 1000 + 0.01)
        }
      }
    }),
    { seed: SEED, numRuns: 100 },
  )
})
