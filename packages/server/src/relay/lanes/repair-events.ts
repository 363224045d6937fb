import { type Fields, isFields, jsonOrUndefined } from '@tollgate/providers'
import { eventsIn } from '../../upstream/framing.ts'
import { byteText } from '../meter/response-text.ts'

/** Makes an answer, or one event of it, readable for strict clients of its dialect, in place. */
export type Repair = (body: Fields) => void

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The same events, each repaired; anything but an object is unchanged. */
export const repairEach = (bytes: Uint8Array, repair: Repair): Uint8Array =>
  encoder.encode(
    eventsIn(decoder.decode(bytes))
      .map(({ event, data, raw }) => {
        const body = objectIn(data)
        if (body === undefined) return raw
        repair(body)
        return `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(body)}\n\n`
      })
      .join(''),
  )

/** The same events without comments and OpenAI's end mark; a block of comments only is removed with its blank line. */
export const onlyJson = (bytes: Uint8Array): Uint8Array => {
  // After its first line a chunk has comments only where a line starts with a colon; nearly none does.
  if (bytes[0] !== COLON && !/[\r\n]:|\[DONE\]/.test(byteText(bytes))) return bytes
  const events = eventsIn(decoder.decode(bytes)).filter(({ data }) => data !== '[DONE]')
  const kept = events.map(({ raw }) => raw.replace(COMMENT, ''))
  return encoder.encode(kept.filter((raw) => raw.trim() !== '').join(''))
}

const COLON = 58
/** From the start of a line to its end. No `^`, which would also match after U+2028 inside a text. */
const COMMENT = /(?<![^\r\n]):[^\r\n]*(?:\r\n|[\r\n]|$)/g

/**
 * Adds the role when a stream starts without it, which strict chat clients require. It inspects events until the first content, and
 * passes the rest.
 */
export const withAssistantRole = () => {
  let started = false
  return (bytes: Uint8Array): Uint8Array => {
    if (started) return bytes
    const text = decoder.decode(bytes)
    started = text.includes('"delta"')
    return started && !/"role" ?: ?"assistant"/.test(text) ? repairEach(bytes, addAssistantRole()) : bytes
  }
}

/** Bytes in bytes, and no new view: these run for every chunk. */
export const indexOfBytes = (bytes: Uint8Array, wanted: Buffer, from = 0): number =>
  Buffer.prototype.indexOf.call(bytes, wanted, from)
export const includesBytes = (bytes: Uint8Array, wanted: Buffer, from = 0): boolean =>
  Buffer.prototype.includes.call(bytes, wanted, from)

function addAssistantRole(): Repair {
  const named = new Set<unknown>()
  return ({ choices }) => {
    const all: { index?: unknown; delta?: { role?: unknown } | null }[] = Array.isArray(choices) ? choices : []
    for (const { index, delta } of all) {
      if (delta == null || named.has(index)) continue
      named.add(index)
      delta.role = 'assistant'
    }
  }
}

function objectIn(data: string): Fields | undefined {
  const value = data.startsWith('{') ? jsonOrUndefined(data) : undefined
  return isFields(value) ? value : undefined
}
