import { isObject, type Json, objectsIn, parsed, prettyJson } from './json.ts'
import { chatParts, partsOf, type Turn } from './parts.ts'
import { itemTurns, turn } from './turns.ts'

export interface ReadRequest {
  /** Everything that is neither a message nor a tool. */
  parameters: Json
  tools: unknown[]
  turns: Turn[]
}

const MESSAGE_FIELDS = [
  'messages',
  'system',
  'instructions',
  'input',
  'contents',
  'systemInstruction',
  'system_instruction',
  'prompt',
  'tools',
]

/** The request of any dialect as turns; undefined when it is not JSON. */
export const readRequest = (text: string): ReadRequest | undefined => {
  const body = parsed(text)
  if (!isObject(body)) return undefined
  const parameters = Object.fromEntries(Object.entries(body).filter(([name]) => !MESSAGE_FIELDS.includes(name)))
  const system = body.system ?? body.instructions ?? contentOf(body.systemInstruction ?? body.system_instruction)
  return {
    parameters,
    tools: Array.isArray(body.tools) ? body.tools : [],
    turns: [...turn('system', partsOf(system)), ...messagesIn(body)],
  }
}

function messagesIn(body: Json): Turn[] {
  if (Array.isArray(body.messages)) return objectsIn(body.messages).flatMap((one) => turn(one.role, chatParts(one)))
  if (Array.isArray(body.contents))
    return objectsIn(body.contents).flatMap((one) => turn(one.role ?? 'user', partsOf(one.parts)))
  if (body.contents !== undefined) return turn('user', partsOf(contentOf(body.contents)))
  const given = body.input ?? body.prompt
  if (given === undefined) return []
  if (objectsIn(given).length > 0) return itemTurns(objectsIn(given))
  return typeof given === 'string' || isTexts(given)
    ? turn(body.prompt === undefined && !Array.isArray(given) ? 'user' : 'input', partsOf(given))
    : [{ role: 'input', parts: [{ kind: 'data', text: prettyJson(given) }] }]
}

const isTexts = (given: unknown) => Array.isArray(given) && given.every((one) => typeof one === 'string')

/** Google writes a system prompt as `{ parts }`, and accepts plain text. */
const contentOf = (content: unknown) => (isObject(content) ? (content.parts ?? content) : content)
