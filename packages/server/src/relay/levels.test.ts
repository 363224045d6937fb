import { expect, setDefaultTimeout, test } from 'bun:test'
import { failureOf } from '@tollgate/providers'
import type { RoutableChannel } from '../catalog/routable-channel.ts'
import { buildSnapshot } from '../catalog/snapshot.ts'
import { seeded } from '../testing/seeded.ts'
import { createHealth } from '../upstream/health.ts'
import { findCandidates } from './candidates.ts'
import { levelsOf, suitsAt } from './levels.ts'

// Possibly on a busy machine.
setDefaultTimeout(30_000)

const MODEL = 'm'

/** For this many calls of a setup the whole order is checked, for the others only the first channel. */
const ORDERS = 100

const chance = (seed: number) => {
  const below = seeded(seed)
  return () => below(1 << 24) / (1 << 24)
}

/** A setup with levels, weights of 0, a channel in two groups, one that is cooling down and one that cannot answer such calls. */
function house(random: () => number) {
  const pick = <T>(...values: T[]) => values[Math.floor(random() * values.length)] as T
  const channels = Array.from({ length: 1 + Math.floor(random() * 8) }, (_, index): RoutableChannel => {
    const groups = pick(['default'], ['vip'], ['vip', 'default'])
    return {
      ...{ id: index + 1, name: `c${index + 1}`, type: pick(8, 8, 8, 38), status: pick(1, 1, 1, 2), groups },
      ...{ priority: pick(0, 0, 5), weight: pick(0, 1, 3, 10), models: [MODEL], mapping: new Map() },
      ...{ systemPrompt: '', testModel: '', baseUrl: 'https://example.com', key: 'k', other: '', config: {} },
    }
  })
  const health = createHealth({ now: () => 1_000 })
  for (const { id } of channels) if (random() < 0.2) health.take(id, MODEL).failed(failureOf('rate', 'slow down'))
  const path = pick('', '/v1/chat/completions')
  const wanted = { groups: ['vip', 'default'], model: MODEL, suits: suitsAt(path, MODEL) }
  return { snapshot: buildSnapshot(channels), health, wanted }
}

test('the displayed levels and shares match thousands of real choices', () => {
  const random = chance(16)
  for (let round = 0; round < 40; round++) {
    const { snapshot, health, wanted } = house(random)
    const levels = levelsOf(snapshot, health, wanted)
    const usable = levels.map(({ entries }) => entries.filter(({ passedOver }) => passedOver === undefined))
    const first = usable.find((entries) => entries.length > 0) ?? []
    const calls = 2_000
    const counts = new Map<number, number>()
    for (let call = 0; call < calls; call++) {
      const candidates = findCandidates(snapshot, looking(health), wanted, random)
      const order: number[] = []
      for (let next = candidates.next(); next !== undefined; next = candidates.next()) order.push(next.route.id)
      if (order[0] !== undefined) counts.set(order[0], (counts.get(order[0]) ?? 0) + 1)
      if (call >= ORDERS) continue
      // Level by level, and within a level those with a weight of 0 come last.
      const expected = usable.flatMap((entries) => [
        entries.filter(({ share }) => share > 0).map(({ route }) => route.id),
        entries.filter(({ share }) => share === 0).map(({ route }) => route.id),
      ])
      let at = 0
      for (const ids of expected) {
        expect(new Set(order.slice(at, at + ids.length))).toEqual(new Set(ids))
        at += ids.length
      }
      expect(order).toHaveLength(at)
    }
    for (const { route, share } of first) {
      const deviation = Math.sqrt(calls * share * (1 - share))
      expect(Math.abs((counts.get(route.id) ?? 0) - calls * share)).toBeLessThanOrEqual(4.5 * deviation)
    }
  }
})

/** Health for reading only: a channel's probe is not used up. */
const looking = (health: ReturnType<typeof createHealth>) => ({
  ...health,
  take: () => ({
    ...{ answered() {}, succeeded() {}, release() {} },
    failed: () => ({ disable: false, reason: { zh: '', en: '' } }),
  }),
})

test('shares of a level add up to one, whichever channels wait or cool down', () => {
  const random = chance(25)
  for (let round = 0; round < 200; round++) {
    const { snapshot, health, wanted } = house(random)
    for (const { entries } of levelsOf(snapshot, health, wanted)) {
      const sum = entries.reduce((total, { share }) => total + share, 0)
      const someone = entries.some(({ passedOver }) => passedOver === undefined)
      expect(sum).toBeCloseTo(someone ? 1 : 0)
    }
  }
})
