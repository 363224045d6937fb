import { textOf } from '../json.ts'

/** OpenAI's seconds for vendors that write times as text; null for none. */
export function secondsOf(moment: unknown) {
  const ms = Date.parse(textOf(moment) ?? '')
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}
