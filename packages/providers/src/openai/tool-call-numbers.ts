import { defined } from '../json.ts'

/** A delta of a tool call as received; empty text counts as absent. */
export interface CallDelta {
  index: number | undefined
  id: string | undefined
  name: string | undefined
  arguments: string
  signature: string | undefined
}

/**
 * Numbers the tool calls of one choice from 0. OpenAI sends an index; compatible vendors omit it, or send 0 with a new id for
 * every call, or repeat id and name in every delta, or send the id after the name.
 */
export function callNumbers(prefix: string | undefined) {
  let count = 0
  /** The last call with an id, with an index, and with both: found without searching, because there may be very many. */
  const byId = new Map<string, number>()
  const byIndex = new Map<number, number>()
  const byBoth = new Map<string, number>()

  const known = ({ index, id, name }: CallDelta) => {
    const called = id === undefined ? undefined : index === undefined ? byId.get(id) : byBoth.get(`${index} ${id}`)
    if (called !== undefined) return called
    // Only the first delta of a call has its name; its id may come later.
    if (name !== undefined && (id !== undefined || index === undefined)) return undefined
    if (index !== undefined) return byIndex.get(index)
    return count === 0 ? undefined : count - 1
  }

  const add = (index: number | undefined, id: string | undefined) => {
    const call = count++
    if (id !== undefined) byId.set(id, call)
    if (index !== undefined) byIndex.set(index, call)
    if (id !== undefined && index !== undefined) byBoth.set(`${index} ${id}`, call)
    return call
  }

  return (piece: CallDelta) => {
    const { arguments: args, signature } = piece
    const call = known(piece)
    if (call !== undefined) return defined({ call, arguments: args, signature })
    const id = piece.id ?? (prefix && `${prefix}_${count}`)
    return defined({ call: add(piece.index, id), id, name: piece.name ?? '', arguments: args, signature })
  }
}
