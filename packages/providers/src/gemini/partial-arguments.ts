import { type Fields, fieldsOf, listOf } from '../json.ts'

/**
 * The arguments of a call that arrive value by value, each with its path (`$.list[0].name`); a long text arrives in
 * several chunks for one path.
 */
export function partialArguments() {
  const root: Fields = {}
  return {
    add(partialArgs: unknown) {
      for (const piece of listOf(partialArgs).map(fieldsOf)) {
        const steps = stepsOf(String(piece.jsonPath ?? '$'))
        if (steps.length > 0) put(root, steps, pieceValue(piece))
      }
    },
    text: () => JSON.stringify(root),
  }
}

type Step = string | number

const PLACES_MAX = 100_000

/** `.name`, `[0]` and `['name']`. */
const stepsOf = (path: string): Step[] =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g)].map(([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double ?? '') : Number(index),
  )

function pieceValue(piece: Fields): unknown {
  if ('stringValue' in piece) return String(piece.stringValue)
  if ('numberValue' in piece) return piece.numberValue
  if ('boolValue' in piece) return piece.boolValue
  return null
}

function put(target: Fields, steps: readonly Step[], value: unknown) {
  const [step = '', ...rest] = steps
  const key = String(step)
  // `__proto__` would change every object of the process, and a huge index or `length` of a list would exhaust the memory.
  if (key === '__proto__' || (typeof step === 'number' ? step > PLACES_MAX : Array.isArray(target))) return
  const known = target[key]
  if (rest.length === 0) {
    target[key] = typeof known === 'string' && typeof value === 'string' ? known + value : value
    return
  }
  if (typeof known !== 'object' || known === null) target[key] = typeof rest[0] === 'number' ? [] : {}
  // Just created, or found to be a list or an object: both can be indexed by name.
  put(target[key] as Fields, rest, value)
}
