import { expect, test } from 'bun:test'
import { aRow } from '../testing/a-row.ts'
import { METRICS, measure, metricAdds } from './usage-metrics.ts'

const none = aRow({ calls: 0 })

test('tokens are those of both directions, and shares are of the whole they belong to', () => {
  const used = { ...none, calls: 40, failed: 3, prompt_tokens: 1000, completion_tokens: 500, cached_tokens: 250 }
  expect(measure(used, 'tokens')).toBe(1500)
  expect(measure(used, 'failed_share')).toBe(0.075)
  expect(measure(used, 'cached_share')).toBe(0.25)
  expect(measure(used, 'calls')).toBe(40)
})

test('without calls there is no share of failures, and an unknown value is not zero', () => {
  expect(measure(none, 'failed_share')).toBeNull()
  expect(measure(none, 'cached_share')).toBeNull()
  expect(measure(none, 'quota')).toBe(0)
  const unknown = { ...none, quota: null, prompt_tokens: null, completion_tokens: null }
  expect([measure(unknown, 'quota'), measure(unknown, 'tokens')]).toEqual([null, null])
})

test('the calls of one outcome have no share of failures: all of them failed, or none', () => {
  expect(measure({ ...none, calls: 4, failed: 4, outcome: 'timeout' }, 'failed_share')).toBeNull()
  expect(measure({ ...none, calls: 4, failed: 4, outcome: 'timeout' }, 'failed')).toBe(4)
})

test('amounts add up; shares, times and speeds do not', () => {
  expect(METRICS.filter((metric) => !metricAdds(metric))).toEqual([
    ...(['failed_share', 'cached_share', 'first_byte_p50', 'first_byte_p95'] as const),
    ...(['elapsed_p50', 'elapsed_p95', 'speed_p50'] as const),
  ])
})
