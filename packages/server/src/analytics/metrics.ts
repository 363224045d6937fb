import type { Metrics, Outcome } from '@tollgate/contract'
import type { Cell } from './cells.ts'
import { percentile } from './histogram.ts'

/** All metrics of a cell. */
export const metricsOf = (cell: Cell): Metrics => {
  const outcomes = outcomesOf(cell)
  const calls = callsOf(cell)
  return {
    calls,
    failed: failedAmong(outcomes),
    quota: cell.of('quota'),
    prompt_tokens: cell.of('prompt_tokens'),
    completion_tokens: cell.of('completion_tokens'),
    cached_tokens: cell.of('cached_tokens'),
    cache_write_tokens: cell.of('cache_write_tokens'),
    reasoning_tokens: cell.of('reasoning_tokens'),
    outcomes,
    first_byte_p50: percentile(cell.latency, 'first_byte', 0.5),
    first_byte_p95: percentile(cell.latency, 'first_byte', 0.95),
    elapsed_p50: percentile(cell.latency, 'elapsed', 0.5),
    elapsed_p95: percentile(cell.latency, 'elapsed', 0.95),
    speed_p50: percentile(cell.latency, 'speed', 0.5),
  }
}

/** The calls with this outcome, of which only the number is recorded. */
export const outcomeMetrics = (cell: Cell, outcome: Outcome): Metrics => {
  const calls = outcomesOf(cell)[outcome]
  return {
    calls,
    failed: outcome === 'success' || outcome === 'canceled' ? 0 : calls,
    quota: null,
    prompt_tokens: null,
    completion_tokens: null,
    cached_tokens: null,
    cache_write_tokens: null,
    reasoning_tokens: null,
    outcomes: { ...NO_OUTCOMES, [outcome]: calls },
    ...NO_TIMES,
  }
}

export const callsOf = (cell: Cell) => cell.of('request_count') + cell.of('failed_count')

export const failedOf = (cell: Cell) => failedAmong(outcomesOf(cell))

const failedAmong = ({ client_error, access, rate_limited, upstream_error, timeout }: Record<Outcome, number>) =>
  client_error + access + rate_limited + upstream_error + timeout

export function outcomesOf(cell: Cell): Record<Outcome, number> {
  const outcomes = {
    success: 0,
    client_error: cell.of('client_error_count'),
    access: cell.of('access_count'),
    rate_limited: cell.of('rate_limited_count'),
    upstream_error: cell.of('upstream_error_count'),
    timeout: cell.of('timeout_count'),
    canceled: cell.of('canceled_count'),
  }
  outcomes.success = callsOf(cell) - failedAmong(outcomes) - outcomes.canceled
  return outcomes
}

const NO_OUTCOMES: Record<Outcome, number> = {
  success: 0,
  client_error: 0,
  access: 0,
  rate_limited: 0,
  upstream_error: 0,
  timeout: 0,
  canceled: 0,
}

const NO_TIMES = {
  first_byte_p50: null,
  first_byte_p95: null,
  elapsed_p50: null,
  elapsed_p95: null,
  speed_p50: null,
}
