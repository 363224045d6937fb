import { expect, test } from 'bun:test'
import { METRICS, measure, metricAdds } from './usage-metrics.ts'

const none = {
  ...{ calls: 0, failed: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cache_write_tokens: 0 },
  ...{ reasoning_tokens: 0, first_byte_p50: null, first_byte_p95: null, elapsed_p50: null, elapsed_p95: null },
  speed_p50: null,
  outcomes: {
    ...{ success: 0, client_error: 0, access: 0, rate_limited: 0 },
    ...{ upstream_error: 0, timeout: 0, canceled: 0 },
  },
}

test('tokens are those of both directions, and shares are of what they are part of', () => {
  const used = { ...none, calls: 40, failed: 3, prompt_tokens: 1000, completion_tokens: 500, cached_tokens: 250 }
  expect(measure(used, 'tokens')).toBe(1500)
  expect(measure(used, 'failed_share')).toBe(0.075)
  expect(measure(used, 'cached_share')).toBe(0.25)
  expect(measure(used, 'calls')).toBe(40)
})

test('no calls have no share of failures, and what is not known is not nothing', () => {
  expect(measure(none, 'failed_share')).toBeNull()
  expect(measure(none, 'cached_share')).toBeNull()
  expect(measure(none, 'quota')).toBe(0)
  const unknown = { ...none, quota: null, prompt_tokens: null, completion_tokens: null }
  expect([measure(unknown, 'quota'), measure(unknown, 'tokens')]).toEqual([null, null])
})

test('amounts add up; shares, times and speeds do not', () => {
  expect(METRICS.filter((metric) => !metricAdds(metric))).toEqual([
    ...(['failed_share', 'cached_share', 'first_byte_p50', 'first_byte_p95'] as const),
    ...(['elapsed_p50', 'elapsed_p95', 'speed_p50'] as const),
  ])
})
