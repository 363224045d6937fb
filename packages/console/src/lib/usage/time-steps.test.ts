import { expect, test } from 'bun:test'
import { possibleSteps, stepNames } from './time-steps.ts'

test('no step makes thousands of bars, and none is longer than the range', () => {
  expect(possibleSteps({ first: '2026-11-15', last: '2026-11-15' })).toEqual(['hour', 'day'])
  expect(possibleSteps({ first: '2026-10-17', last: '2026-11-15' })).toEqual(['hour', 'day', 'week'])
  expect(possibleSteps({ first: '2026-01-01', last: '2026-11-15' })).toEqual(['day', 'week', 'month'])
})

test('a step is labelled in the reader’s time zone, within one day by its hour alone', () => {
  const at = Date.parse('2026-11-15T00:00:00Z') / 1000
  const zone = 'Asia/Shanghai'
  const named = (step: 'hour' | 'day' | 'month', first: string) =>
    Object.values(stepNames(at, { step, zone, days: { first, last: '2026-11-15' } }))
  expect(named('hour', '2026-11-15')).toEqual(['08:00', '2026-11-15 08:00'])
  expect(named('hour', '2026-11-14')).toEqual(['11-15 08:00', '2026-11-15 08:00'])
  expect(named('day', '2026-11-01')).toEqual(['11-15', '2026-11-15'])
  expect(named('month', '2026-01-01')).toEqual(['2026-11', '2026-11'])
})
