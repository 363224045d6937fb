import { isObject, objectsIn, parsed } from './json.ts'
import { partsOf, type Turn } from './parts.ts'
import { assembled, eventsIn } from './read-stream.ts'
import { turn } from './turns.ts'
import { wholeAnswer } from './whole-answer.ts'

/** The answer of any dialect as turns, a stream assembled; undefined when it cannot be parsed. */
export const readAnswer = (text: string): Turn[] | undefined => {
  const body = parsed(text)
  if (Array.isArray(body)) return assembled(objectsIn(body))
  if (isObject(body)) return wholeAnswer(body)
  const events = eventsIn(text)
  return events.length === 0 ? plain(text) : assembled(events)
}

/** Subtitles and transcripts are text, and other content is shown by its size. */
const plain = (text: string): Turn[] | undefined =>
  /^\s*[{[]\s*["{]/.test(text) ? undefined : turn('output', partsOf(text.trim()))
