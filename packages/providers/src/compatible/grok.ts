import type { Quirks } from '../openai/quirks.ts'

/**
 * xAI's models refuse penalties and stop sequences, even those of 0, null or none, which clients send by default. Most of them reason as
 * much as they like, and refuse an effort.
 */
export const grokRefuses: NonNullable<Quirks['refuses']> = (model, { presence_penalty, frequency_penalty, stop }) => [
  ...(isNone(presence_penalty) ? (['presence_penalty'] as const) : []),
  ...(isNone(frequency_penalty) ? (['frequency_penalty'] as const) : []),
  ...(stop === null || (Array.isArray(stop) && stop.length === 0) ? (['stop'] as const) : []),
  ...(NO_EFFORT.test(model) ? (['reasoning_effort'] as const) : []),
]

const isNone = (penalty: unknown) => penalty === 0 || penalty === null

/** Not `grok-3-mini`, `grok-4.3` and its successors, nor the multi-agent models. */
const NO_EFFORT = /^grok-(?:2|3(?!-mini)|4(?:-|$)|4\.20-(?!multi)|code-fast)/

/**
 * The words for an effort of those that take one: most have no word for none, because they always reason, and only some one for more
 * than high.
 */
export const grokEffort: NonNullable<Quirks['effort']> = (model, effort) => {
  if (NO_EFFORT.test(model)) return undefined
  const isLow = effort === 'minimal' || effort === 'low'
  if (/^grok-3-mini/.test(model)) return isLow || effort === 'none' ? 'low' : 'high'
  if (effort === 'none') return /^grok-4\.3/.test(model) ? 'none' : 'low'
  if (isLow || effort === 'medium' || effort === 'high') return isLow ? 'low' : effort
  return /^grok-4\.[35]/.test(model) ? 'high' : 'xhigh'
}
