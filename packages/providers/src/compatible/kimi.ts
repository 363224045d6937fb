import type { Quirks } from '../openai/quirks.ts'

/**
 * From K2.5 on Moonshot fixes the sampling of its models, and refuses every other value: a fixed one that a caller names is no different
 * from none.
 */
export const kimiRefuses: NonNullable<Quirks['refuses']> = (model) => (FIXED.test(model) ? SAMPLING : [])

/** K3 always thinks: what would end that is the least it does. */
export const kimiEffort: NonNullable<Quirks['effort']> = (model, effort) =>
  ALWAYS_THINKS.test(model) && LEAST.has(effort) ? 'low' : effort

/** Between them, K2.5 and K2.6 think unless they are told not to; K2.7 cannot be told. */
export const kimiSwitches: NonNullable<Quirks['switchesThinking']> = (model) => /^kimi-k2\.[56]/.test(model)

const FIXED = /^(?:kimi-)?(?:k2\.[5-9]|k[3-9]|for-coding)/
const ALWAYS_THINKS = /^(?:kimi-)?k[3-9]/
const SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] as const
const LEAST: ReadonlySet<string> = new Set(['none', 'minimal'])
