import { expect, test } from 'bun:test'
import { candidatesText, detailText, parseDetail, tierText } from './call-detail.ts'

const channel = (id: number, more: { weight?: number; priority?: number } = {}) => ({
  ...{ id, name: `"${id}" 号`, weight: 0, priority: 0 },
  ...more,
})
const logged = (id: number, group: string, more: object = {}) => ({
  ...{ channel: id, name: `"${id}" 号`, group, priority: 0, weight: 0 },
  ...more,
})

test('what is stored in the short form is read in the long one, whatever the names, weights and priorities', () => {
  const tiers = [
    { text: tierText('a "b"', [channel(1), channel(2, { weight: 3 })]) },
    { text: tierText('vip', [channel(3, { priority: -4 }), channel(4, { weight: 2, priority: 5 })]), level: 2 },
  ]
  const excluded = [{ channel: 3, name: 'three', excluded: 'cooling down' }]
  const text = detailText({ flag: 'partial' }, candidatesText(tiers, { excluded, policy: 'cheapest', kept: 4 }))
  expect(parseDetail(text)).toEqual({
    flag: 'partial',
    candidates: {
      considered: [
        logged(1, 'a "b"'),
        logged(2, 'a "b"', { weight: 3 }),
        logged(3, 'vip', { priority: -4, level: 2 }),
        logged(4, 'vip', { weight: 2, priority: 5, level: 2 }),
      ],
      ...{ excluded, policy: 'cheapest', kept: 4 },
    },
  })
})

test('a call without candidates, or without a detail, is read as such', () => {
  const none = { considered: [], excluded: [] }
  expect(parseDetail(detailText({ status: 404 }, candidatesText([], { excluded: [] })))).toEqual({
    ...{ status: 404, candidates: none },
  })
  expect(parseDetail(detailText({}, candidatesText([], { excluded: [] })))).toEqual({ candidates: none })
  expect(parseDetail(detailText({ status: 404 }, undefined))).toEqual({ status: 404 })
})

test('entries of earlier versions are read as they were written', () => {
  const candidates = { considered: [logged(1, 'default')], excluded: [], policy: 'balanced' }
  expect(parseDetail(JSON.stringify({ attempts: [], candidates }))).toEqual({ attempts: [], candidates })
})

test('an attempt is short unless it has more to say than its status', () => {
  const plain = { channel: 1, name: 'one', status: 200, ms: 12 }
  const withMore = [
    { ...plain, error: 'overloaded' },
    { ...plain, key: '…abcd' },
    { ...plain, passed: true as const },
  ]
  const attempts = [plain, ...withMore]
  const text = detailText({ attempts }, undefined)
  expect(JSON.parse(text)).toEqual({ attempts: [[1, 'one', 200, 12], ...withMore] })
  expect(parseDetail(text)).toEqual({ attempts })
})

test('the usual source and factor of a price are not stored, and read all the same', () => {
  for (const source of ['reported', 'estimated', 'usage_anomaly'] as const) {
    for (const factor of ['1', '0.5', '0']) {
      const price = { source: 'library', group: 'default', factor, rates: { input: '2' } }
      const text = detailText({ usage: { input: 1 }, price, source }, undefined)
      expect(text.includes('"factor"')).toBe(factor !== '1')
      expect(text.includes('reported')).toBe(false)
      expect(parseDetail(text)).toEqual({ usage: { input: 1 }, price, source })
    }
  }
})

test('five channels of a tier take less than a third of the long form', () => {
  const channels = [1, 2, 3, 4, 5].map((id) => channel(id))
  const short = candidatesText([{ text: tierText('default', channels) }], { excluded: [] })
  const long = JSON.stringify({ considered: channels.map(({ id }) => logged(id, 'default')), excluded: [] })
  expect(short.length).toBeLessThan(long.length / 3)
})
