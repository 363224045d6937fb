import { type CounterState, MINUTE_MS, shareMs } from '../../limits/counter.ts'
import type { ApiFamily } from '../surfaces/api-family.ts'
import type { AppliedLimit } from './applied-limits.ts'

interface Counted {
  claims: readonly AppliedLimit[]
  /** Before this call. */
  states: readonly CounterState[]
  /** Whether this call was allowed and counted. */
  taken: boolean
  nowMs: number
}

interface Left {
  limit: number
  remaining: number
  /** Until the whole limit is available again. */
  resetMs: number
}

/** How near a caller is to the strictest of its limits, by the names that the clients of its API know. */
export const limitHeaders = (counted: Counted, family: ApiFamily): Record<string, string> => {
  const headers: Record<string, string> = {}
  const names = family === 'anthropic' ? ANTHROPIC : OPENAI
  const resetText = (resetMs: number) =>
    family === 'anthropic' ? timeOf(counted.nowMs + resetMs) : durationOf(resetMs)
  for (const of of ['rpm', 'tpm'] as const) {
    const left = strictest(counted, of)
    if (left === undefined) continue
    const { limit, remaining, reset } = names[of]
    headers[limit] = String(left.limit)
    headers[remaining] = String(left.remaining)
    headers[reset] = resetText(left.resetMs)
  }
  return headers
}

const anthropicNames = (what: string) => ({
  limit: `anthropic-ratelimit-${what}-limit`,
  remaining: `anthropic-ratelimit-${what}-remaining`,
  reset: `anthropic-ratelimit-${what}-reset`,
})

const openaiNames = (what: string) => ({
  limit: `x-ratelimit-limit-${what}`,
  remaining: `x-ratelimit-remaining-${what}`,
  reset: `x-ratelimit-reset-${what}`,
})

const ANTHROPIC = { rpm: anthropicNames('requests'), tpm: anthropicNames('tokens') }
const OPENAI = { rpm: openaiNames('requests'), tpm: openaiNames('tokens') }

/** A vendor's limits belong to the operator's account; mixed with ours they would be misleading. */
export const withOwnLimits = (vendors: Record<string, string> = {}, own: Record<string, string> = {}) => {
  const headers = { ...own }
  if (Object.keys(headers).length === 0) return vendors
  for (const [name, value] of Object.entries(vendors)) if (!isVendorLimit(name)) headers[name] = value
  return headers
}

const isVendorLimit = (name: string) => name.startsWith('x-ratelimit-') || name.startsWith('anthropic-ratelimit-')

function strictest({ claims, states, taken }: Counted, of: 'rpm' | 'tpm') {
  let found: Left | undefined
  let at = -1
  for (const claim of claims) {
    at++
    if (claim.of !== of) continue
    const resetMs = (states[at] ?? 0) + (taken ? shareMs(claim) : 0)
    // Rounded to thousandths: shares are fractions whose sum may miss an integer slightly.
    const remaining = Math.floor((claim.limit * (MINUTE_MS - resetMs)) / MINUTE_MS + 0.001)
    const left = { limit: claim.limit, remaining: Math.max(0, remaining), resetMs }
    if (found === undefined || left.remaining < found.remaining) found = left
  }
  return found
}

/** RFC 3339 in whole seconds, rounded up. */
const timeOf = (ms: number) => `${new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`

/** OpenAI's format: `850ms`, `1s`, `6m0s`. */
function durationOf(ms: number) {
  if (ms < 1000) return `${Math.ceil(ms)}ms`
  const seconds = Math.ceil(ms / 1000)
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`
}
