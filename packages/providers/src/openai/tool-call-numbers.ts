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
  const calls: { index: number | undefined; id: string | undefined }[] = []

  const known = ({ index, id, name }: CallDelta) => {
    const isAt = (call: { index: number | undefined }) => index === undefined || call.index === index
    const called = id === undefined ? -1 : calls.findLastIndex((call) => call.id === id && isAt(call))
    if (called !== -1) return called
    // Only the first delta of a call has its name; its id may come later.
    if (name !== undefined && (id !== undefined || index === undefined)) return undefined
    const last = calls.findLastIndex(isAt)
    return last === -1 ? undefined : last
  }

  return (piece: CallDelta) => {
    const { arguments: args, signature } = piece
    const call = known(piece)
    if (call !== undefined) return defined({ call, arguments: args, signature })
    const id = piece.id ?? (prefix && `${prefix}_${calls.length}`)
    calls.push({ index: piece.index, id })
    return defined({ call: calls.length - 1, id, name: piece.name ?? '', arguments: args, signature })
  }
}
