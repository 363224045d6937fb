import type { ChatPart } from '../chat.ts'
import { CUSTOM_END, customArguments, customPiece } from '../custom-tool.ts'

type CallPart = Extract<ChatPart, { type: 'tool-call' }>

/** Wraps the texts of a chat's custom tools in the object that the internal format has; only the end of a choice is theirs. */
export function customCalls() {
  const open = new Map<number, Map<number, { isEmpty: boolean }>>()

  const wrapped = (part: CallPart): CallPart => {
    const calls = open.get(part.choice) ?? new Map<number, { isEmpty: boolean }>()
    open.set(part.choice, calls)
    const known = calls.get(part.call) ?? { isEmpty: true }
    calls.set(part.call, known)
    if (part.arguments === '') return part
    const piece = customPiece(part.arguments, known.isEmpty)
    known.isEmpty = false
    return { ...part, arguments: piece }
  }

  const ends = (choice: number): CallPart[] => {
    const calls = [...(open.get(choice) ?? [])]
    open.delete(choice)
    return calls.map(([call, { isEmpty }]) => ({
      ...{ type: 'tool-call', choice, call },
      arguments: isEmpty ? customArguments('') : CUSTOM_END,
    }))
  }

  return { wrapped, ends }
}
