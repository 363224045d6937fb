import { type Fields, isFields, listOf, textOf } from '../json.ts'
import { contentParts, Message } from './chat-deltas.ts'

/**
 * Adds to each event of a chat's stream what OpenAI's own client reads without asking: an id, without which it drops the usage, a list
 * of choices, and in each an index and a delta, and no message, which it would take for what it has collected. Content as blocks becomes
 * text. True if something had to be changed.
 */
export function strictEvents(): (body: Fields) => boolean {
  let id = 'chatcmpl'
  let inDeltas = false

  const complete = (choice: Fields, at: number): boolean => {
    let changed = false
    if (typeof choice.index !== 'number') {
      choice.index = at
      changed = true
    }
    const { delta, message } = choice
    if ('message' in choice) {
      delete choice.message
      changed = true
    }
    if (isFields(delta)) {
      inDeltas = true
      return flattenContent(delta) || changed
    }
    // A message after deltas repeats what they said.
    const instead = isFields(message) && !inDeltas ? message : {}
    flattenContent(instead)
    choice.delta = instead
    return true
  }

  return (body) => {
    if (body.choices === undefined && !isFields(body.usage) && mayBeError(body)) return false
    let changed = !Array.isArray(body.choices)
    if (changed) body.choices = []
    const choices = listOf(body.choices).filter(isFields)
    for (const [at, choice] of choices.entries()) changed = complete(choice, at) || changed
    if (typeof body.id === 'string' && body.id !== '') id = body.id
    // Azure's results of its filter come first, and have an empty one.
    else if (choices.length > 0 || isFields(body.usage)) {
      body.id = id
      changed = true
    }
    return changed
  }
}

/** Some servers put the members of an error into the event itself. */
const mayBeError = (body: Fields) => Object.keys(body).some((name) => !HEAD.has(name))

const HEAD: ReadonlySet<string> = new Set(['id', 'object', 'created', 'model', 'type'])

/** Content as blocks becomes text, and blocks of thinking the reasoning. True if there were any. */
export function flattenContent(message: Fields): boolean {
  if (!Array.isArray(message.content)) return false
  const read = Message.safeParse({ content: message.content })
  if (!read.success) return false
  const parts = contentParts(0, read.data, false)
  const textOfType = (type: 'text' | 'reasoning') => parts.map((part) => (part.type === type ? part.text : '')).join('')
  message.content = textOfType('text')
  const reasoning = (textOf(message.reasoning_content) ?? '') + textOfType('reasoning')
  if (reasoning !== '') message.reasoning_content = reasoning
  return true
}
