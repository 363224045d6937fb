import { type Fields, isFields, jsonOrUndefined } from '@tollgate/providers'
import { eventsIn } from '../../upstream/framing.ts'
import type { Answer, AnswerChunk } from '../answer.ts'
import type { ChatLibrary } from '../surfaces/chat-library.ts'
import { fieldsOf } from '../surfaces/fields.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** A streamed chat for a library that reads its end as another vendor than OpenAI sends it. */
export const endedFor = (
  library: ChatLibrary,
  answer: Extract<Answer, { kind: 'stream' }>,
): Extract<Answer, { kind: 'stream' }> => {
  const ends = chatEnds(library)
  const shown = (text: string) => eventsIn(text).map(ends.event).join('')
  return {
    ...answer,
    async next(outputMax): Promise<AnswerChunk | undefined> {
      const piece = await answer.next(outputMax)
      if (piece === undefined) {
        const last = ends.rest()
        return last === '' ? undefined : { bytes: encoder.encode(last), ending: undefined }
      }
      const bytes = encoder.encode(shown(decoder.decode(piece.bytes)))
      return { bytes, ending: piece.ending === undefined ? undefined : shown(piece.ending) }
    },
  }
}

/** Events with a finish reason wait for the usage, which OpenAI sends after them. */
function chatEnds(library: ChatLibrary) {
  const takeCalls = library === 'mistral' ? wholeCalls() : undefined
  let finishing: Fields[] = []
  let usage: Fields | undefined

  const rest = () => {
    const last = finishing.at(-1)
    if (last !== undefined && usage !== undefined) Object.assign(last, usageOf(library, usage))
    const text = finishing.map(frame).join('')
    finishing = []
    return text
  }

  const event = ({ data, raw }: { data: string; raw: string }) => {
    const body = data.startsWith('{') ? jsonOrUndefined(data) : undefined
    if (!isFields(body) || !Array.isArray(body.choices)) return data === '' ? raw : rest() + raw
    if (isFields(body.usage)) usage = body.usage
    // Mistral's library knows no usage of null, which each event has where the usage is requested.
    delete body.usage
    const choices = body.choices.filter(isFields)
    if (choices.length === 0) return usage === undefined ? raw : rest()
    const emptied = choices.map((choice) => takeCalls?.(choice) === 'nothing else')
    if (choices.some(({ finish_reason }) => finish_reason)) {
      finishing.push(body)
      return ''
    }
    return emptied.every((isEmpty) => isEmpty) ? '' : frame(body)
  }

  return { event, rest }
}

const frame = (body: Fields) => `data: ${JSON.stringify(body)}\n\n`

const usageOf = (library: ChatLibrary, usage: Fields) =>
  library === 'mistral' ? { usage } : { usage, x_groq: { usage } }

/** Takes the pieces of calls out of each choice, and puts the calls into the one that finishes. */
function wholeCalls() {
  const calls = new Map<unknown, Map<unknown, Fields>>()

  const add = (own: Map<unknown, Fields>, piece: Fields) => {
    const known = own.get(piece.index)
    const added = fieldsOf(piece.function)
    if (known === undefined) own.set(piece.index, { ...piece, function: { arguments: '', ...added } })
    else {
      const called = fieldsOf(known.function)
      known.function = { ...called, arguments: `${called.arguments ?? ''}${added.arguments ?? ''}` }
    }
  }

  return (choice: Fields): 'nothing else' | undefined => {
    const { tool_calls: pieces, ...delta } = fieldsOf(choice.delta)
    const own = calls.get(choice.index) ?? new Map<unknown, Fields>()
    calls.set(choice.index, own)
    const given = Array.isArray(pieces) ? pieces.filter(isFields) : []
    for (const piece of given) add(own, piece)
    if (choice.finish_reason) choice.delta = own.size === 0 ? delta : { ...delta, tool_calls: [...own.values()] }
    else if (given.length > 0) choice.delta = delta
    return given.length > 0 && !Object.values(delta).some(Boolean) ? 'nothing else' : undefined
  }
}
