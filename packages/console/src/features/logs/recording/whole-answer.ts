import { isObject, type Json, objectsIn, prettyJson } from './json.ts'
import { chatParts, type Part, partsOf, type Turn } from './parts.ts'
import { itemTurns, turn } from './turns.ts'

/** An answer that was not streamed. */
export const wholeAnswer = (body: Json): Turn[] => {
  if (body.error !== undefined && body.error !== null) return errorTurn(body.error)
  if (Array.isArray(body.choices)) return objectsIn(body.choices).flatMap(choiceTurn)
  if (Array.isArray(body.output)) return itemTurns(objectsIn(body.output))
  if (Array.isArray(body.candidates)) return objectsIn(body.candidates).flatMap(candidateTurn)
  if (Array.isArray(body.content)) return turn(body.role ?? 'assistant', partsOf(body.content))
  if (typeof body.text === 'string') return turn('output', partsOf(body.text))
  return turn('output', [data(body)])
}

const choiceTurn = ({ message, text }: Json): Turn[] =>
  isObject(message) ? turn(message.role ?? 'assistant', chatParts(message)) : turn('output', partsOf(text))

const candidateTurn = ({ content }: Json): Turn[] =>
  isObject(content) ? turn(content.role ?? 'model', partsOf(content.parts)) : []

export const errorTurn = (error: unknown): Turn[] => [{ role: 'error', parts: [data(error)] }]

const data = (value: unknown): Part => ({ kind: 'data', text: prettyJson(value) })
