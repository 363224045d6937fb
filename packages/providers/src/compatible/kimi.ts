import type { Quirks } from '../openai/quirks.ts'

/** From K2.5 on Kimi's sampling is fixed, at values that depend on whether it thinks: any other is refused. */
export const kimiRefuses: NonNullable<Quirks['refuses']> = (model) =>
  FIXED.test(model) ? ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] : []

const FIXED = /kimi-(?:k2\.[5-9]|k[3-9])/

/** From K3 on it always thinks, and refuses to think less than little. */
export const kimiEffort = (model: string, effort: string) =>
  /kimi-k[3-9]/.test(model) && ['none', 'minimal'].includes(effort) ? 'low' : effort
