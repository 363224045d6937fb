import type { ChatPart, FinishReason } from './chat.ts'
import type { StreamEvent } from './chat-adapter.ts'

type Decode = (event: StreamEvent) => ChatPart[]

/**
 * For vendors that end a stream with `[DONE]`. Some of them give no finish reason; it is then derived from the parts at the
 * mark.
 */
export function endingAtMark(decode: Decode): Decode {
  const open = new Map<number, FinishReason>()
  const finished = new Set<number>()
  let started = false

  const note = (part: ChatPart) => {
    started = true
    if (!('choice' in part) || finished.has(part.choice)) return
    const { choice, type } = part
    if (type === 'finish') {
      finished.add(choice)
      open.delete(choice)
    } else open.set(choice, type === 'tool-call' ? 'tool_calls' : (open.get(choice) ?? 'stop'))
  }

  const close = (): ChatPart[] => {
    if (started && open.size === 0 && finished.size === 0) open.set(0, 'stop')
    return [...open].map(([choice, reason]) => ({ type: 'finish', choice, reason }))
  }

  return (event) => {
    if (event.data === '') return []
    if (event.data === '[DONE]') return close()
    const parts = decode(event)
    parts.forEach(note)
    return parts
  }
}
