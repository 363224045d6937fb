import { expect, test } from 'bun:test'
import { chosenRange, daysOf, RANGES, rangeProblem, readRange } from './time-range.ts'

const seconds = (time: string) => Date.parse(time) / 1000

test('ranges with a name end with today, yesterday or the last day of a month', () => {
  const range = (name: (typeof RANGES)[number]) => Object.values(daysOf(name, '2026-03-02'))
  expect(Object.fromEntries(RANGES.map((name) => [name, range(name)]))).toEqual({
    today: ['2026-03-02', '2026-03-02'],
    yesterday: ['2026-03-01', '2026-03-01'],
    '7d': ['2026-02-24', '2026-03-02'],
    '30d': ['2026-02-01', '2026-03-02'],
    month: ['2026-03-01', '2026-03-02'],
    last_month: ['2026-02-01', '2026-02-28'],
  })
})

test('two days in the URL take precedence over a name, and an invalid range is the default', () => {
  expect(chosenRange({ range: 'today', from: '2026-01-01', to: '2026-01-31' })).toEqual({
    first: '2026-01-01',
    last: '2026-01-31',
  })
  expect(chosenRange({ range: 'today' })).toBe('today')
  for (const broken of [{}, { from: '2026-02-01' }, { from: '2026-02-01', to: '2026-01-01' }, { from: 'x', to: 'y' }])
    expect(chosenRange(broken)).toBe('7d')
})

test('a range that cannot be shown as it is written says why', () => {
  const of = (from?: string, to?: string, range?: string) => rangeProblem({ from, to, range })
  expect([of(), of(undefined, undefined, '30d'), of('2026-01-01', '2026-01-01', 'nonsense')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(of('2026-02-01', '2026-01-01')).toBe('reversed')
  for (const [from, to] of [['2026-02-01'], ['x', 'y'], ['2026-02-30', '2026-03-01']])
    expect(of(from, to)).toBe('unknown')
  expect(of(undefined, undefined, 'fortnight')).toBe('unknown')
  expect(of('2000-01-01', '2099-12-31')).toBe('tooLong')
})

test('a range begins and ends at midnight of the reader’s zone, also across a clock change', () => {
  const now = seconds('2026-10-26T12:00:00Z')
  const read = readRange({ range: '7d' }, { zone: 'Europe/Berlin', now })
  expect(read).toEqual({
    days: { first: '2026-10-20', last: '2026-10-26' },
    today: '2026-10-26',
    start: seconds('2026-10-20T00:00:00+02:00'),
    end: now,
  })
  expect(readRange({ range: 'yesterday' }, { zone: 'Europe/Berlin', now })).toMatchObject({
    start: seconds('2026-10-25T00:00:00+02:00'),
    end: seconds('2026-10-26T00:00:00+01:00'),
  })
})

test('a range that includes today ends with the current hour', () => {
  const now = seconds('2026-11-15T08:20:00Z')
  expect(readRange({ range: 'today' }, { zone: 'UTC', now }).end).toBe(seconds('2026-11-15T09:00:00Z'))
  expect(readRange({ from: '2026-11-16', to: '2026-11-16' }, { zone: 'UTC', now })).toMatchObject({
    start: seconds('2026-11-16T00:00:00Z'),
    end: seconds('2026-11-16T01:00:00Z'),
  })
})

test('of more days than can be added up, the last ones are used', () => {
  expect(chosenRange({ from: '2020-01-01', to: '2026-11-15' })).toEqual({ first: '2025-10-12', last: '2026-11-15' })
})

test('today is the reader’s own: in Shanghai it begins at 16:00 UTC', () => {
  const now = seconds('2026-11-15T16:30:00Z')
  expect(readRange({ range: 'today' }, { zone: 'Asia/Shanghai', now })).toMatchObject({
    today: '2026-11-16',
    start: seconds('2026-11-15T16:00:00Z'),
  })
})
