import { expect, test } from 'bun:test'
import type { RoutableChannel } from '../catalog/routable-channel.ts'
import { buildSnapshot } from '../catalog/snapshot.ts'
import { createHealth } from '../upstream/health.ts'
import { findCandidates } from './candidates.ts'

const channelLike = (id: number, fields: Partial<RoutableChannel> = {}): RoutableChannel => ({
  ...{ id, name: `channel ${id}`, type: 8, status: 1, priority: 0, weight: 0, models: ['m'], groups: ['default'] },
  ...{ mapping: new Map(), systemPrompt: '', testModel: '', baseUrl: '', key: '', other: '', config: {} },
  ...fields,
})

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** All channels in the order in which one call would try them. */
function drawn(channels: RoutableChannel[], random: () => number, groups = ['default']) {
  const health = createHealth({ now: () => 0 })
  const wanted = { groups, model: 'm', suits: () => true }
  const candidates = findCandidates(buildSnapshot(channels), health, wanted, random)
  const order: number[] = []
  for (let next = candidates.next(); next !== undefined; next = candidates.next()) order.push(next.route.id)
  return order
}

/** How often each channel was first in this many calls. */
function firsts(channels: RoutableChannel[], calls: number) {
  const random = seeded(20_261_115)
  const counts = new Map<number, number>()
  for (let n = 0; n < calls; n++) {
    const [first = 0] = drawn(channels, random)
    counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  return counts
}

/** Within four standard deviations of what the weights promise. */
function expectShare(count: number | undefined, calls: number, share: number) {
  const deviation = Math.sqrt(calls * share * (1 - share))
  expect(Math.abs((count ?? 0) - calls * share)).toBeLessThan(4 * deviation)
}

test('within a tier channels are chosen by weight [R1.08]', () => {
  const counts = firsts(
    [channelLike(1, { weight: 1 }), channelLike(2, { weight: 3 }), channelLike(3, { weight: 6 })],
    20_000,
  )
  expectShare(counts.get(1), 20_000, 0.1)
  expectShare(counts.get(2), 20_000, 0.3)
  expectShare(counts.get(3), 20_000, 0.6)
})

test('with all weights 0 each channel is equally likely [R1.08]', () => {
  const counts = firsts([channelLike(1), channelLike(2), channelLike(3), channelLike(4)], 20_000)
  for (const id of [1, 2, 3, 4]) expectShare(counts.get(id), 20_000, 0.25)
})

test('a weight of 0 beside positive ones comes after all of them [R1.08]', () => {
  const random = seeded(7)
  const channels = [channelLike(1), channelLike(2, { weight: 1 }), channelLike(3, { weight: 100 }), channelLike(4)]
  for (let n = 0; n < 500; n++) {
    const order = drawn(channels, random)
    expect(new Set(order.slice(0, 2))).toEqual(new Set([2, 3]))
    expect(new Set(order.slice(2))).toEqual(new Set([1, 4]))
  }
})

test('the rest of a tier comes before the next tier, and no channel is tried twice [R1.08] [R1.10]', () => {
  const random = seeded(11)
  const channels = [
    ...[1, 2, 3].map((id) => channelLike(id, { priority: 5, weight: id })),
    ...[4, 5].map((id) => channelLike(id, { priority: -1, groups: ['default', 'vip'] })),
    ...[6, 7].map((id) => channelLike(id, { priority: 9 })),
  ]
  for (let n = 0; n < 500; n++) {
    const order = drawn(channels, random, ['default', 'vip'])
    expect([...order.slice(0, 2)].sort()).toEqual([6, 7])
    expect([...order.slice(2, 5)].sort()).toEqual([1, 2, 3])
    expect([...order.slice(5)].sort()).toEqual([4, 5])
  }
})
