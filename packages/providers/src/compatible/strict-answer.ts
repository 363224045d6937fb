import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'
import { callDelta } from '../openai/chat-deltas.ts'
import { flattenContent } from '../openai/strict-events.ts'
import { callNumbers } from '../openai/tool-call-numbers.ts'

/**
 * Normalises answers of vendors that deviate from the dialect, for strict clients: calls without a type or an id, content
 * as blocks of reasoning, streams without a role or with an empty one.
 */
export function strictAnswer(): (body: Fields) => void {
  const started = new Set<unknown>()
  const numbers = new Map<unknown, ReturnType<typeof callNumbers>>()

  const numbered = (index: unknown, calls: readonly unknown[]) => {
    const number = numbers.get(index) ?? callNumbers('call')
    numbers.set(index, number)
    for (const [place, call] of calls.entries()) {
      if (isFields(call)) call.index = number(callDelta(call, calls.length > 1 ? place : undefined)).call
    }
  }

  return (body) => {
    for (const { index, message, delta } of listOf(body.choices).map(fieldsOf)) {
      if (isFields(message)) readable(message)
      if (!isFields(delta)) continue
      readable(delta)
      numbered(index, listOf(delta.tool_calls))
      if (delta.role === '') delete delta.role
      if (!started.has(index)) delta.role ??= 'assistant'
      started.add(index)
    }
  }
}

function readable(message: Fields) {
  for (const call of listOf(message.tool_calls)) if (isFields(call)) call.type ??= 'function'
  flattenContent(message)
}
