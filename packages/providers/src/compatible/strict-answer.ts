import { type Fields, fieldsOf, isFields, listOf, textOf } from '../json.ts'
import { contentParts, Message, toPiece } from '../openai/chat-pieces.ts'
import { callNumbers } from '../openai/tool-call-numbers.ts'

/**
 * Answers of vendors that do not quite keep to the dialect, as strict clients of it can read them: calls that do not say
 * that they are functions or which one they are, content in blocks of reasoning, streams that never say who speaks, or say
 * it with an empty word.
 */
export function strictAnswer(): (body: Fields) => void {
  const started = new Set<unknown>()
  const numbers = new Map<unknown, ReturnType<typeof callNumbers>>()

  const numbered = (index: unknown, calls: readonly unknown[]) => {
    const number = numbers.get(index) ?? callNumbers('call')
    numbers.set(index, number)
    for (const [place, call] of calls.entries()) {
      if (isFields(call)) call.index = number(toPiece(call, calls.length > 1 ? place : undefined)).call
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
  if (!Array.isArray(message.content)) return
  const parts = contentParts(0, Message.parse({ content: message.content }), false)
  const textOfType = (type: 'text' | 'reasoning') => parts.map((part) => (part.type === type ? part.text : '')).join('')
  message.content = textOfType('text')
  const reasoning = (textOf(message.reasoning_content) ?? '') + textOfType('reasoning')
  if (reasoning !== '') message.reasoning_content = reasoning
}
