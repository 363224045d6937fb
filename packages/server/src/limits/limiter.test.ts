import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLimiter, type Limiter } from './limiter.ts'
import type { Rule } from './rule.ts'
import { TooManyRequests, takeAll } from './too-many-requests.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const THREE: Rule = { name: 'three', max: 3, windowSec: 60 }

function limiter() {
  const clock = { ms: 1_800_000_000_000, now: () => clock.ms }
  return { clock, limiter: createLimiter(clock) }
}

async function allowed(subject: Limiter, rule: Rule, key: string, times: number) {
  let count = 0
  for (let round = 0; round < times; round++) if ((await subject.take(rule, key)).allowed) count++
  return count
}

test('as many as the rule allows are accepted, and no more', async () => {
  const { limiter: subject } = limiter()
  expect(await allowed(subject, THREE, 'a', 5)).toBe(3)
})

test('keys and rules are counted separately', async () => {
  const { limiter: subject } = limiter()
  await allowed(subject, THREE, 'a', 3)
  expect(await allowed(subject, THREE, 'b', 5)).toBe(3)
  expect(await allowed(subject, { ...THREE, name: 'other' }, 'a', 5)).toBe(3)
})

test('one share of the window frees one, and the whole window all', async () => {
  const { clock, limiter: subject } = limiter()
  await allowed(subject, THREE, 'a', 3)
  clock.ms += 19_000
  expect(await allowed(subject, THREE, 'a', 5)).toBe(0)
  clock.ms += 1_000
  expect(await allowed(subject, THREE, 'a', 5)).toBe(1)
  clock.ms += 60_000
  expect(await allowed(subject, THREE, 'a', 5)).toBe(3)
})

test('setting the clock back locks nobody out', async () => {
  const { clock, limiter: subject } = limiter()
  await allowed(subject, THREE, 'a', 3)
  clock.ms -= 900
  expect(await allowed(subject, THREE, 'a', 5)).toBe(0)
  clock.ms -= 3_600_000
  expect(await allowed(subject, THREE, 'a', 5)).toBe(3)
})

test('it does not matter where in a minute or an hour the calls fall', async () => {
  for (let start = 0; start < 60_000; start += 7_919) {
    const { clock, limiter: subject } = limiter()
    clock.ms += start
    expect(await allowed(subject, { name: 'once', max: 1, windowSec: 30 }, 'a', 3)).toBe(1)
    clock.ms += 29_999
    expect(await allowed(subject, { name: 'once', max: 1, windowSec: 30 }, 'a', 3)).toBe(0)
    clock.ms += 1
    expect(await allowed(subject, { name: 'once', max: 1, windowSec: 30 }, 'a', 3)).toBe(1)
  }
})

test('a refusal says when the next request will be allowed, to the second', async () => {
  const { clock, limiter: subject } = limiter()
  await allowed(subject, THREE, 'a', 3)
  clock.ms += 4_500
  expect(await subject.take(THREE, 'a')).toEqual({ allowed: false, retryAfterSec: 16 })
  clock.ms += 16_000
  expect(await subject.take(THREE, 'a')).toEqual({ allowed: true })
})

test('refused requests are not counted: repeating them does not prolong the wait', async () => {
  const { clock, limiter: subject } = limiter()
  await allowed(subject, THREE, 'a', 100)
  clock.ms += 20_000
  expect(await allowed(subject, THREE, 'a', 1)).toBe(1)
})

test('what is released can be taken again, and releasing never exceeds the whole', async () => {
  const { limiter: subject } = limiter()
  await allowed(subject, THREE, 'a', 3)
  await subject.giveBack(THREE, 'a')
  expect(await allowed(subject, THREE, 'a', 3)).toBe(1)
  for (let round = 0; round < 10; round++) await subject.giveBack(THREE, 'b')
  expect(await allowed(subject, THREE, 'b', 5)).toBe(3)
})

test('a maximum of 0 is no limit', async () => {
  const { limiter: subject } = limiter()
  const off = { name: 'off', max: 0, windowSec: 60 }
  expect(await allowed(subject, off, 'a', 100)).toBe(100)
  await subject.giveBack(off, 'a')
})

test('a maximum that does not divide the window is still exact', async () => {
  for (const max of [7, 13, 999, 1201]) {
    const { limiter: subject } = limiter()
    expect(await allowed(subject, { name: 'odd', max, windowSec: 180 }, 'a', max + 5)).toBe(max)
  }
})

test('at any rate of calls, no interval lets more through than the maximum and its share of that time', async () => {
  const pace = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(pace, async (steps) => {
      const { clock, limiter: subject } = limiter()
      const times: number[] = []
      for (const step of steps) {
        clock.ms += step
        if ((await subject.take(THREE, 'a')).allowed) times.push(clock.ms)
      }
      for (const [from, start] of times.entries()) {
        for (const [to, end] of times.entries()) {
          if (to >= from) expect(to - from + 1).toBeLessThanOrEqual(3 + (end - start) / 20_000)
        }
      }
    }),
    { seed: SEED, numRuns: 50 },
  )
})

test('a flood of keys does not fill the memory, and the keys in use survive it', async () => {
  const { limiter: subject } = limiter()
  const once: Rule = { name: 'once', max: 1, windowSec: 60 }
  await subject.take(once, 'forgotten')
  await subject.take(THREE, 'in use')
  for (let count = 0; count < 50_000; count++) {
    await subject.take(once, `flood ${count}`)
    if (count % 20_000 === 0) await subject.take(THREE, 'in use')
  }
  expect(await subject.take(once, 'forgotten')).toEqual({ allowed: true })
  expect((await subject.take(THREE, 'in use')).allowed).toBe(false)
})

test('several rules count all or none', async () => {
  const { limiter: subject } = limiter()
  const once: Rule = { name: 'once', max: 1, windowSec: 60 }
  await takeAll(
    subject,
    [
      [THREE, 'a'],
      [once, 'x'],
    ],
    'http.too_many',
  )
  for (let round = 0; round < 5; round++) {
    const refusal = await takeAll(
      subject,
      [
        [THREE, 'a'],
        [once, 'x'],
      ],
      'mail.too_often',
    ).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(TooManyRequests)
    expect(refusal).toMatchObject({ code: 'mail.too_often', retryAfterSec: 60 })
  }
  expect(await allowed(subject, THREE, 'a', 5)).toBe(2)
})
