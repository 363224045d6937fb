import { eventsIn } from '../../upstream/framing.ts'
import { byteText } from '../meter/response-text.ts'

/** Makes an answer, or one event of it, readable for strict clients of its dialect. It changes what it is given. */
export type Repair = (body: Record<string, unknown>) => void

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The same events, each repaired; what is no object goes on as it is. */
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

/** The same events without comments; a block that is nothing else goes with its blank line. */
export const withoutComments = (bytes: Uint8Array): Uint8Array => {
  // Behind its first line a piece has comments only where a line begins with a colon; nearly none does.
  if (bytes[0] !== COLON && !/[\r\n]:/.test(byteText(bytes))) return bytes
  const kept = eventsIn(decoder.decode(bytes)).map(({ raw }) => raw.replace(COMMENT, ''))
  return encoder.encode(kept.filter((raw) => raw.trim() !== '').join(''))
}

const COLON = 58
/** From the beginning of a line to its end. No `^`, which would also stand behind U+2028 in the middle of a text. */
const COMMENT = /(?<![^\r\n]):[^\r\n]*(?:\r\n|[\r\n]|$)/g

/**
 * Says who speaks where a stream begins without it, which strict clients of chats cannot do without. It looks at what
 * comes until the first words, and lets the rest go by.
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

function objectIn(data: string): Record<string, unknown> | undefined {
  if (!data.startsWith('{')) return undefined
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
