import { expect, setDefaultTimeout, test } from 'bun:test'
import { routingTable, ruleFor, sharesByWeight, sharesOfTwo } from '@tollgate/contract'
import { failureOf } from '@tollgate/providers'
import { createPriceBook } from '../catalog/prices.ts'
import type { RoutableChannel } from '../catalog/routable-channel.ts'
import { buildSnapshot } from '../catalog/snapshot.ts'
import { seeded } from '../testing/seeded.ts'
import { createHealth } from '../upstream/health.ts'
import { findCandidates } from './candidates.ts'
import { levelsOf } from './levels.ts'

// Possibly on a busy machine.
setDefaultTimeout(30_000)

const RATIOS = { cheap: 1, dear: 10, middle: 3 }

const PRICES = createPriceBook({
  ...{ ModelRatio: new Map(Object.entries(RATIOS)), CompletionRatio: new Map(), DefaultModelRatio: 30 },
})

const rulesOf = (...rules: object[]) => routingTable.parse(JSON.stringify(rules))

const channel = (id: number, fields: Partial<RoutableChannel> = {}): RoutableChannel => ({
  ...{ id, name: `c${id}`, type: 8, status: 1, priority: 0, weight: 0, models: ['m'], groups: ['default'] },
  ...{ mapping: new Map(), systemPrompt: '', testModel: '', baseUrl: '', key: '', other: '', config: {} },
  ...fields,
})

const called = (model: string) => ({ mapping: new Map([['m', model]]) })

const routingQueryOf = (policy: string, groups = ['default']) => ({
  ...{ groups, model: 'm', suits: () => true },
  policies: { rules: rulesOf({ group: '*', model: '*', policy }), prices: PRICES },
})

const LOOK = {
  take: () => ({
    ...{ answered() {}, succeeded() {}, release() {} },
    failed: () => ({ disable: false, reason: { zh: '', en: '' } }),
  }),
}

test('the most specific rule applies', () => {
  const rules = rulesOf(
    { group: '*', model: '*', policy: 'cheapest' },
    { group: '*', model: 'm', policy: 'balanced' },
    { group: 'vip', model: '*', policy: 'in_order', affinity: true },
    { group: 'vip', model: 'm', policy: 'cheapest' },
  )
  expect(ruleFor(rules, 'vip', 'm')).toMatchObject({ policy: 'cheapest', affinity: false })
  expect(ruleFor(rules, 'vip', 'other')).toMatchObject({ policy: 'in_order', affinity: true })
  expect(ruleFor(rules, 'default', 'm')?.policy).toBe('balanced')
  expect(ruleFor(rules, 'default', 'other')?.policy).toBe('cheapest')
  expect(ruleFor(rulesOf(), 'default', 'm')).toBeUndefined()
})

test('an invalid table of policies is refused', () => {
  for (const text of [
    '{}',
    'nonsense',
    '[{"group":"a","model":"b"}]',
    '[{"group":"a","model":"b","policy":"fastest"}]',
    '[{"group":"","model":"b","policy":"balanced"}]',
    '[{"group":"a","model":"b","policy":"balanced"},{"group":"a","model":"b","policy":"cheapest"}]',
  ]) {
    expect(routingTable.safeParse(text).success).toBe(false)
  }
  expect(routingTable.parse('')).toEqual(new Map())
})

test('cheapest first sorts by price whatever the priority, and by priority for equal prices', () => {
  const snapshot = buildSnapshot([
    channel(1, { ...called('dear'), priority: 9 }),
    channel(2, { ...called('cheap'), priority: 0, weight: 1 }),
    channel(3, { ...called('cheap'), priority: 5 }),
    channel(4, called('middle')),
    channel(5, { ...called('cheap'), priority: 0, weight: 3 }),
  ])
  const levels = levelsOf(snapshot, createHealth({ now: () => 0 }), routingQueryOf('cheapest'))
  expect(levels.map(({ entries }) => entries.map(({ route }) => route.id))).toEqual([[3], [2, 5], [4], [1]])
  expect(levels[1]?.entries.map(({ share }) => share)).toEqual([0.25, 0.75])
})

test('balanced prefers the better of two, by time to first byte and failures, and shows the resulting shares', () => {
  const random = (() => {
    const below = seeded(5)
    return () => below(1 << 24) / (1 << 24)
  })()
  const health = createHealth({ now: () => 0 })
  const record = (id: number, ms: number, failures = 0) => {
    for (let call = 0; call < 10; call++) {
      const lease = health.take(id, 'm')
      if (call < failures) lease.failed(failureOf('server', 'broken'))
      else {
        lease.answered(ms)
        lease.succeeded()
      }
    }
  }
  record(1, 900)
  record(2, 300)
  record(3, 300, 5)
  record(4, 100)
  const snapshot = buildSnapshot([
    channel(1, { weight: 4 }),
    channel(2, { weight: 2 }),
    channel(3, { weight: 1 }),
    channel(4, { weight: 1 }),
    // It waits until the others have failed, however fast it is.
    channel(5, { weight: 0 }),
  ])
  expect([1, 2, 3, 4].sort((a, b) => health.score(a) - health.score(b))).toEqual([4, 2, 1, 3])
  const wanted = routingQueryOf('balanced')
  const [level] = levelsOf(snapshot, health, wanted)
  const shares = new Map(level?.entries.map(({ route, share }) => [route.id, share]))
  expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
  expect(shares.get(5)).toBe(0)
  const calls = 20_000
  const counts = new Map<number, number>()
  for (let call = 0; call < calls; call++) {
    const id = findCandidates(snapshot, { ...health, ...LOOK }, wanted, random).next()?.route.id ?? 0
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  for (const [id, share] of shares) {
    const deviation = Math.sqrt(calls * share * (1 - share))
    expect(Math.abs((counts.get(id) ?? 0) - calls * share)).toBeLessThanOrEqual(4.5 * deviation)
  }
  // Better than by weight alone, and the worst is still used.
  expect(counts.get(4)).toBeGreaterThan(calls / 8)
  expect(counts.get(3)).toBeGreaterThan(0)
  expect(counts.get(3)).toBeLessThan(calls / 8)
})

test('without any scores the better of two is chosen by weight', () => {
  const weights = [1, 3, 0, 6]
  sharesOfTwo(weights, [0, 0, 0, 0]).forEach((share, index) => {
    expect(share).toBeCloseTo(sharesByWeight(weights)[index] ?? 0)
  })
})

test('each group has its own policy', () => {
  const snapshot = buildSnapshot([
    channel(1, { ...called('dear'), priority: 9, groups: ['default', 'vip'] }),
    channel(2, { ...called('cheap'), groups: ['default', 'vip'] }),
  ])
  const rules = rulesOf({ group: 'vip', model: 'm', policy: 'cheapest' })
  const first = (group: string) => {
    const wanted = { groups: [group], model: 'm', suits: () => true, policies: { rules, prices: PRICES } }
    return findCandidates(snapshot, { ...createHealth({ now: () => 0 }), ...LOOK }, wanted).next()?.route.id
  }
  expect(first('default')).toBe(1)
  expect(first('vip')).toBe(2)
})

test('what is known of a tier for one kind of call is not used for another', () => {
  const snapshot = buildSnapshot([channel(1), channel(2)])
  const first = (kind: string, only: number) => {
    const wanted = { groups: ['default'], model: 'm', kind, suits: ({ id }: { id: number }) => id === only }
    const candidates = findCandidates(snapshot, { ...createHealth({ now: () => 0 }), ...LOOK }, wanted)
    const chosen = candidates.next()?.route.id
    return [chosen, candidates.explain().excluded.map((each) => each.channel)]
  }
  expect(first('chat', 1)).toEqual([1, [2]])
  expect(first('images', 2)).toEqual([2, [1]])
  expect(first('chat', 1)).toEqual([1, [2]])
})
