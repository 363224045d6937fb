import { isFields, jsonOrUndefined } from '@tollgate/providers'
import { eventsIn } from '../../upstream/framing.ts'
import { fieldsOf } from '../surfaces/fields.ts'
import { type Repair, repairEach } from './repair-events.ts'

const decoder = new TextDecoder()
const FIRST = /"tool_calls"\s*:\s*\[\s*\{/
const CALLS = Buffer.from('"tool_calls"')

/** Bytes in bytes, and no new view: this runs for every chunk. */
const hasCalls = (bytes: Uint8Array): boolean => Buffer.prototype.includes.call(bytes, CALLS)

/**
 * Renumbers the calls of a passing chat from 0 when its vendor starts at another index, which OpenAI's own client cannot handle. The
 * first call shows whether that is needed; streams without calls are only searched for the word.
 */
export const withToolCallIndexes = () => {
  let isOdd: boolean | undefined
  const renumber = numberer()
  return (bytes: Uint8Array): Uint8Array => {
    if (isOdd === false || !hasCalls(bytes)) return bytes
    if (isOdd === undefined) {
      const text = decoder.decode(bytes)
      if (!FIRST.test(text)) return bytes
      const first = firstNumber(text)
      isOdd = typeof first === 'number' && first > 0
    }
    return isOdd ? repairEach(bytes, renumber) : bytes
  }
}

/** By choice: the vendor's indexes in order of appearance. */
function numberer(): Repair {
  const seen = new Map<unknown, unknown[]>()
  return ({ choices }) => {
    for (const { index: choice, delta } of listOf(choices).map(fieldsOf)) {
      const known = seen.get(choice) ?? []
      seen.set(choice, known)
      for (const call of listOf(fieldsOf(delta).tool_calls)) {
        if (!isFields(call) || typeof call.index !== 'number') continue
        if (!known.includes(call.index)) known.push(call.index)
        call.index = known.indexOf(call.index)
      }
    }
  }
}

function firstNumber(text: string): unknown {
  for (const { data } of eventsIn(text)) {
    if (!FIRST.test(data)) continue
    const calls = listOf(fieldsOf(jsonOrUndefined(data)).choices).flatMap((choice) =>
      listOf(fieldsOf(fieldsOf(choice).delta).tool_calls),
    )
    if (calls.length > 0) return fieldsOf(calls[0]).index
  }
  return undefined
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
