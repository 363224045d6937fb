import { completeMessageEvent, type Fields, strictEvents } from '@tollgate/providers'
import { fieldsOf } from '../surfaces/fields.ts'
import { includesBytes, indexOfBytes, repairEach } from './repair-events.ts'

/**
 * Makes the events of a passing chat readable for strict clients of OpenAI's dialect: servers leave out the index of a choice, the delta
 * of the last one, the choices beside the usage or the id, or write content as blocks, and OpenAI's own client fails at each. The first
 * events show what a server does throughout; after them only events without a delta are looked at.
 */
export const withStrictEvents = () => {
  const complete = strictEvents()
  let isOdd = false
  let inspected = 0
  return (bytes: Uint8Array): Uint8Array => {
    if (!isOdd && inspected >= INSPECTED && haveDeltas(bytes)) return bytes
    let changed = false
    const repaired = repairEach(bytes, (body) => {
      const here = complete(body)
      changed ||= here
      if (!hasChoices(body)) return
      isOdd ||= here
      inspected = saysSomething(body) ? INSPECTED : inspected + 1
    })
    return changed ? repaired : bytes
  }
}

/** Deltas without text may come first, with a role or as a sign of life. */
const INSPECTED = 8

/** Whether every event has a delta that is an object: the last ones of a stream have not. Nothing is parsed, for this is every chunk. */
const haveDeltas = (bytes: Uint8Array): boolean => {
  for (let event = indexOfBytes(bytes, DATA); event !== -1; ) {
    const delta = indexOfBytes(bytes, DELTA, event)
    if (delta === -1 || !opensObject(bytes, delta + DELTA.length)) return false
    const next = indexOfBytes(bytes, DATA, event + DATA.length)
    if (next !== -1 && next < delta) return false
    event = next
  }
  return true
}

function opensObject(bytes: Uint8Array, from: number) {
  let at = from
  while (bytes[at] === SPACE || bytes[at] === COLON) at++
  return bytes[at] === BRACE
}

const DATA = Buffer.from('data:')
const DELTA = Buffer.from('"delta"')
const SPACE = 32
const COLON = 58
const BRACE = 123

const hasChoices = ({ choices }: Fields) => Array.isArray(choices) && choices.length > 0

const saysSomething = ({ choices }: Fields) =>
  Array.isArray(choices) && choices.some((choice) => Boolean(fieldsOf(fieldsOf(choice).delta).content))

/** The same for Anthropic's dialect, which other hosts have too: only the few events that begin or end something can lack anything. */
export const strictMessageEvents = (bytes: Uint8Array): Uint8Array => {
  if (!MARKS.some((mark) => includesBytes(bytes, mark))) return bytes
  let changed = false
  const repaired = repairEach(bytes, (body) => {
    changed = completeMessageEvent(body) || changed
  })
  return changed ? repaired : bytes
}

const MARKS = ['message_start', 'content_block_start', 'message_delta'].map((type) => Buffer.from(`"${type}"`))
