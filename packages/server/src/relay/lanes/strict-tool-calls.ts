import { callDelta, callNumbers, type Fields, flattenContent, isFields } from '@tollgate/providers'
import { byteText } from '../meter/response-text.ts'
import { fieldsOf } from '../surfaces/fields.ts'
import { includesBytes, repairEach } from './repair-events.ts'

const CALLS = Buffer.from('"tool_calls"')
const FIRST = /"tool_calls"\s*:\s*\[\s*\{/
/** The deltas that begin a call have its id. */
const OPENING = /"tool_calls"\s*:\s*\[\s*\{[^}]*"id"\s*:\s*"[^"]/

/**
 * Makes the calls of a passing chat readable for strict clients of OpenAI's dialect. Vendors number calls from another index than 0, give
 * all of them the same one or none, write arguments as an object, or leave them out, or write marks of the model into names: OpenAI's own
 * client fails at the first, takes the second for one call, cannot parse the next ones, and does not know such a tool. The deltas that begin a call show whether anything is to be done; streams without
 * calls are only searched for the word.
 */
export const withStrictToolCalls = () => {
  let isOdd = false
  let started = false
  let changed = false
  const numbers = new Map<unknown, ReturnType<typeof callNumbers>>()
  /** The calls of each choice without arguments as yet. */
  const bare = new Map<unknown, Set<number>>()

  const numbersOf = (choice: unknown) => {
    const known = numbers.get(choice) ?? callNumbers(undefined)
    numbers.set(choice, known)
    return known
  }
  const bareOf = (choice: unknown) => bare.get(choice) ?? new Set<number>()

  const noteArguments = (choice: unknown, call: number, { isNew, text }: { isNew: boolean; text: string }) => {
    const own = bareOf(choice)
    if (text !== '') own.delete(call)
    else if (isNew) own.add(call)
    if (own.size > 0) bare.set(choice, own)
    else bare.delete(choice)
  }

  const repairCall = (choice: unknown, call: Fields) => {
    const delta = callDelta(call)
    const numbered = numbersOf(choice)(delta)
    const { call: own } = numbered
    isOdd ||= own !== call.index
    call.index = own
    if (!isFields(call.function)) return
    if (delta.name !== undefined && delta.name !== call.function.name) {
      call.function.name = delta.name
      changed = true
    }
    noteArguments(choice, own, { isNew: 'name' in numbered, text: delta.arguments })
    if (call.function.arguments === undefined || typeof call.function.arguments === 'string') return
    call.function.arguments = delta.arguments
    changed = true
  }

  const repair = ({ choices }: Fields) => {
    for (const choice of listOf(choices).filter(isFields)) {
      const { index, delta, finish_reason } = choice
      for (const call of listOf(fieldsOf(delta).tool_calls)) if (isFields(call)) repairCall(index, call)
      const missing = finish_reason ? bareOf(index) : NONE
      if (missing.size === 0) continue
      bare.delete(index)
      const empty = [...missing].map((call) => ({ index: call, function: { arguments: '{}' } }))
      choice.delta = { ...fieldsOf(delta), tool_calls: [...listOf(fieldsOf(delta).tool_calls), ...empty] }
      changed = true
    }
  }

  return (bytes: Uint8Array): Uint8Array => {
    if (bare.size === 0) {
      if (!includesBytes(bytes, CALLS)) return bytes
      if (!isOdd) {
        const text = byteText(bytes)
        if (started ? !OPENING.test(text) : !FIRST.test(text)) return bytes
        started = true
      }
    }
    changed = false
    const repaired = repairEach(bytes, repair)
    return isOdd || changed ? repaired : bytes
  }
}

/**
 * The same for a whole answer; true if anything had to be done. A choice that Azure has filtered has no message, which every client reads
 * without asking.
 */
export function repairWhole({ choices }: Fields): boolean {
  let repaired = false
  for (const choice of listOf(choices)) {
    if (isFields(choice) && choice.message == null && typeof choice.finish_reason === 'string') {
      choice.message = { role: 'assistant', content: null, refusal: null }
      repaired = true
    }
    if (isFields(choice) && isFields(choice.message) && flattenContent(choice.message)) repaired = true
    for (const call of listOf(fieldsOf(fieldsOf(choice).message).tool_calls)) {
      const called = fieldsOf(call).function
      const { name } = isFields(call) ? callDelta(call) : {}
      if (isFields(called) && name !== undefined && name !== called.name) {
        called.name = name
        repaired = true
      }
      if (!isFields(called) || (typeof called.arguments === 'string' && called.arguments !== '')) continue
      called.arguments = isFields(called.arguments) ? JSON.stringify(called.arguments) : '{}'
      repaired = true
    }
  }
  return repaired
}

const NONE: ReadonlySet<number> = new Set()

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
