import { callDelta, callNumbers, isFields } from '@tollgate/providers'
import { byteText } from '../meter/response-text.ts'
import { fieldsOf } from '../surfaces/fields.ts'
import { repairEach } from './repair-events.ts'

const CALLS = Buffer.from('"tool_calls"')
const FIRST = /"tool_calls"\s*:\s*\[\s*\{/
/** The deltas that begin a call have its id. */
const OPENING = /"tool_calls"\s*:\s*\[\s*\{[^}]*"id"\s*:\s*"[^"]/

/** Bytes in bytes, and no new view: this runs for every chunk. */
const hasCalls = (bytes: Uint8Array): boolean => Buffer.prototype.includes.call(bytes, CALLS)

/**
 * Numbers the calls of a passing chat from 0 when its vendor starts at another index, or gives all calls the same one: OpenAI's own
 * client cannot handle the first, and takes the second for one call. The deltas that begin a call show whether that is needed; streams
 * without calls are only searched for the word.
 */
export const withToolCallIndexes = () => {
  let isOdd = false
  let started = false
  const numbers = new Map<unknown, ReturnType<typeof callNumbers>>()

  const numbersOf = (choice: unknown) => {
    const known = numbers.get(choice) ?? callNumbers(undefined)
    numbers.set(choice, known)
    return known
  }
  const renumber = ({ choices }: { choices?: unknown }) => {
    for (const { index: choice, delta } of listOf(choices).map(fieldsOf)) {
      for (const call of listOf(fieldsOf(delta).tool_calls)) {
        if (!isFields(call) || typeof call.index !== 'number') continue
        const { call: own } = numbersOf(choice)(callDelta(call))
        isOdd ||= own !== call.index
        call.index = own
      }
    }
  }

  return (bytes: Uint8Array): Uint8Array => {
    if (!hasCalls(bytes)) return bytes
    if (!isOdd) {
      const text = byteText(bytes)
      if (started ? !OPENING.test(text) : !FIRST.test(text)) return bytes
      started = true
    }
    const numbered = repairEach(bytes, renumber)
    return isOdd ? numbered : bytes
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
