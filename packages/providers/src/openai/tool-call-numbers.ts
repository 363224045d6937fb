import { defined } from '../json.ts'

/** A piece of a tool call as it came; empty text counts as absent. */
export interface CallPiece {
  index: number | undefined
  id: string | undefined
  name: string | undefined
  arguments: string
  signature: string | undefined
}

/**
 * Counts the tool calls of one choice from 0. OpenAI numbers them itself; its imitators leave the number out, or give
 * every call the number 0 and a new id, or repeat id and name in every piece.
 */
export function callNumbers(prefix: string | undefined) {
  const calls: { index: number | undefined; id: string | undefined }[] = []

  const known = ({ index, id, name }: CallPiece) => {
    if (index === undefined && id === undefined && name !== undefined) return undefined
    const call = calls.findLastIndex((candidate) => index === undefined || candidate.index === index)
    if (call === -1) return undefined
    return id === undefined || calls[call]?.id === id ? call : undefined
  }

  return (piece: CallPiece) => {
    const { arguments: args, signature } = piece
    const call = known(piece)
    if (call !== undefined) return defined({ call, arguments: args, signature })
    const id = piece.id ?? (prefix && `${prefix}_${calls.length}`)
    calls.push({ index: piece.index, id })
    return defined({ call: calls.length - 1, id, name: piece.name ?? '', arguments: args, signature })
  }
}
