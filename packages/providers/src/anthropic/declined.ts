import { countOf } from '../count.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../json.ts'

/*
 * What Anthropic bills when a safety classifier declines: an attempt that was declined before it wrote anything is free, except
 * for some categories. A call with `fallbacks` then goes to another model, at that model's price.
 */

/** The fallback model that wrote an answer. */
export const readServingModel = (body: unknown): string | undefined => {
  const served = iterationsIn(body).find(({ type }) => type === 'fallback_message')
  return textOf(served?.model) || undefined
}

/** Its turns: it may have called the vendor's tools. */
export const servingTurns = (body: unknown): Fields[] => {
  const serving = readServingModel(body)
  return serving === undefined
    ? []
    : iterationsIn(body).filter(({ type, model }) => TURNS.has(type) && model === serving)
}

const TURNS = new Set<unknown>(['message', 'fallback_message'])

/** Attempts of other models before it that wrote something. */
export const declinedIn = (body: unknown): Fields[] => {
  const serving = readServingModel(body)
  if (serving === undefined) return []
  return iterationsIn(body).filter(
    ({ type, model, output_tokens }) =>
      type === 'message' && textOf(model) && model !== serving && (countOf(output_tokens) ?? 0) > 0,
  )
}

/** Whether an answer, or the closing event of one, is a refusal that costs nothing. */
export const isFreeRefusal = (body: unknown): boolean => {
  const { delta, usage, ...message } = fieldsOf(body)
  const { stop_reason, stop_details } = fieldsOf(delta ?? message)
  if (stop_reason !== 'refusal' || countOf(fieldsOf(usage).output_tokens) !== 0) return false
  const compacted = iterationsIn(body).some(({ type }) => type === 'compaction')
  return !compacted && !BILLED.has(fieldsOf(stop_details).category)
}

const BILLED = new Set<unknown>(['bio', 'frontier_llm', 'reasoning_extraction'])

/** Each attempt at an answer, and what else was done for it. */
const iterationsIn = (body: unknown): Fields[] => listOf(fieldsOf(fieldsOf(body).usage).iterations).map(fieldsOf)
