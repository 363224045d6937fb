import { expect, test } from 'bun:test'
import type { Candidate } from './call-log.ts'
import { explainRoute } from './explain-route.ts'

const channel = (id: number, more: Partial<Candidate> = {}): Candidate => ({
  ...{ channel: id, name: `c${id}`, group: 'vip', priority: 0, weight: 1 },
  ...more,
})
const ok = (id: number) => ({ channel: id, name: `c${id}`, status: 200, ms: 5 })
const bad = (id: number, status: number) => ({ channel: id, name: `c${id}`, status, ms: 5, error: 'no' })

const kinds = (attempts: ReturnType<typeof ok>[], candidates: Candidate[]) =>
  explainRoute({ attempts, candidates }).map(({ candidate, reason }) => `${candidate.channel} ${reason.kind}`)

test('a key that another key of the channel replaced is not a separate attempt', () => {
  const passed = { ...ok(1), status: 401, error: 'no', key: 'aaa1', passed: true }
  const [first] = explainRoute({ attempts: [passed, ok(1)], candidates: [channel(1)] })
  expect(first?.reason).toMatchObject({ kind: 'answered', attempt: 1 })
})

test('each channel shows why it answered, or why another one did', () => {
  const candidates = [
    channel(1, { priority: 9 }),
    channel(2, { priority: 5 }),
    channel(3, { priority: 5 }),
    channel(4, { priority: 5, weight: 0 }),
    channel(5, { priority: 5, excluded: 'cooling down after a rate limit' }),
    channel(6, { priority: 5, excluded: 'does not support this operation' }),
    channel(10, { priority: 5, excluded: 'the vendor asked to wait' }),
    channel(7, { priority: 5, excluded: 'on holiday' }),
    channel(8),
    channel(9, { group: 'default', priority: 99 }),
  ]
  expect(kinds([bad(1, 500), ok(2)], candidates)).toEqual([
    '1 failed',
    '2 answered',
    '3 notDrawn',
    '4 zeroWeight',
    '5 cooling',
    '6 unsuited',
    '10 waiting',
    '7 excluded',
    '8 lowerPriority',
    '9 laterGroup',
  ])
})

test('if no channel answered, the others were not reached', () => {
  expect(kinds([bad(1, 400)], [channel(1), channel(2)])).toEqual(['1 failed', '2 notReached'])
  expect(kinds([], [channel(1)])).toEqual(['1 notReached'])
})

test('for an unanswered call, the reason why the others were not tried is given', () => {
  const reasonFor = (stopped: 'request' | 'time' | 'retries') =>
    explainRoute({ attempts: [bad(1, 500)], candidates: [channel(1), channel(2)], stopped })[1]?.reason.kind
  expect(reasonFor('request')).toBe('callRefused')
  expect(reasonFor('time')).toBe('timeOver')
  expect(reasonFor('retries')).toBe('retriesOver')
})

test('a policy has its own reasons', () => {
  const cheapest = [
    channel(1, { level: 1 }),
    channel(2, { level: 2, priority: 9 }),
    channel(3, { level: 1, weight: 1 }),
  ]
  expect(kinds([ok(1)], cheapest)).toEqual(['1 answered', '2 dearer', '3 notDrawn'])
  const balanced = [channel(1, { policy: 'balanced' }), channel(2, { policy: 'balanced' })]
  expect(kinds([ok(1)], balanced)).toEqual(['1 answered', '2 notBetter'])
  expect(kinds([ok(1)], [channel(1, { kept: true }), channel(2)])).toEqual(['1 kept', '2 notKept'])
})

test('a channel whose price is not covered is shown as such', () => {
  const candidates = [
    channel(1),
    channel(2, { excluded: 'the balance or a budget does not cover its price' }),
    channel(3, { excluded: 'its budget is used up' }),
    channel(4, { excluded: 'the budget of its group is used up' }),
  ]
  expect(kinds([ok(1)], candidates)).toEqual(['1 answered', '2 uncovered', '3 budgetSpent', '4 groupBudgetSpent'])
})

test('a channel in two groups is listed once', () => {
  expect(kinds([ok(1)], [channel(1), channel(1, { group: 'default' })])).toEqual(['1 answered'])
})

test('a random choice shows the share', () => {
  const [, second] = explainRoute({ attempts: [ok(1)], candidates: [channel(1, { weight: 3 }), channel(2)] })
  expect(second?.reason).toMatchObject({ kind: 'notDrawn', weight: 1, weights: 4 })
})
