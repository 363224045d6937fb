import type { Json } from './json.ts'
import { type Part, partsOf, type Turn } from './parts.ts'

/** The items of the Responses API: messages, and beside them calls, results and reasoning. */
export const itemTurns = (items: Json[]): Turn[] =>
  items.flatMap((item) => {
    if (item.role !== undefined) return turn(item.role, partsOf(item.content))
    const isResult = String(item.type).endsWith('_output')
    return turn(isResult ? 'tool' : 'assistant', partsOf([item]))
  })

export const turn = (role: unknown, parts: Part[]): Turn[] =>
  parts.length === 0 ? [] : [{ role: String(role), parts }]
