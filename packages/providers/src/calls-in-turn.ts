import type { ChatPart } from './chat.ts'
import { failureOf, VendorError } from './failure.ts'
import { jsonOrUndefined } from './json.ts'

export type CallPart = Extract<ChatPart, { type: 'tool-call' }>

const CONTENT: ReadonlySet<ChatPart['type']> = new Set(['text', 'refusal', 'image', 'audio', 'reasoning'])

/** Parts that do not wait until calls are complete. */
export const interruptsCalls = ({ type }: ChatPart) => CONTENT.has(type)

/**
 * Sends calls one after the other where a vendor interleaves their deltas: the others wait until the arguments of the first are
 * complete. Clients of dialects with blocks or items keep only the latest one open.
 */
export function callsInTurn(send: (part: CallPart) => string) {
  let current: { call: number; args: string } | undefined
  const waiting = new Map<number, CallPart>()
  const sent = new Set<number>()

  const isWhole = () => current === undefined || jsonOrUndefined(current.args) !== undefined

  const start = (part: CallPart) => {
    sent.add(part.call)
    current = { call: part.call, args: part.arguments }
    return send(part)
  }

  const next = (): string => {
    const [first] = waiting.values()
    if (first === undefined) return ''
    waiting.delete(first.call)
    return start(first) + (isWhole() ? next() : '')
  }

  return {
    add(part: CallPart): string {
      if (current?.call === part.call) {
        current.args += part.arguments
        // Parsing what has arrived so far with every delta would take quadratic time.
        return send(part) + (waiting.size > 0 && isWhole() ? next() : '')
      }
      if (sent.has(part.call)) {
        if (part.arguments.trim() === '') return ''
        throw new VendorError(failureOf('server', 'The upstream mixed the arguments of two tool calls'))
      }
      const known = waiting.get(part.call)
      if (known === undefined && isWhole()) return start(part)
      waiting.set(part.call, known === undefined ? part : { ...known, arguments: known.arguments + part.arguments })
      return ''
    },
    /** Sends what waits, before other content or at the end. */
    rest(): string {
      const frames = [...waiting.values()].map(start).join('')
      waiting.clear()
      current = undefined
      return frames
    },
  }
}
