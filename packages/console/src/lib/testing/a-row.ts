import type { AnalyticsRow } from '@tollgate/contract'

/** One row of usage figures, zero except for what the test sets. */
export const aRow = (row: Partial<AnalyticsRow>): AnalyticsRow => ({
  ...{ calls: 1, failed: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0 },
  ...{ cache_write_tokens: 0, reasoning_tokens: 0, first_byte_p50: null, first_byte_p95: null },
  ...{ elapsed_p50: null, elapsed_p95: null, speed_p50: null, other: false },
  outcomes: {
    ...{ success: 0, client_error: 0, access: 0, rate_limited: 0 },
    ...{ upstream_error: 0, timeout: 0, canceled: 0 },
  },
  ...row,
})
