import { isObject, type Json, objectsIn, parsed, textIn } from './json.ts'
import { appended, call, type Part, partsOf, type Turn } from './parts.ts'
import { turn } from './turns.ts'
import { errorTurn, wholeAnswer } from './whole-answer.ts'

/** The payloads of server-sent events. A truncated last one is dropped. */
export const eventsIn = (text: string): Json[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => parsed(line.slice(5)))
    .filter(isObject)

/** Assembles a streamed answer. */
export const assembled = (events: Json[]): Turn[] => {
  const completed = events.findLast(({ type }) => type === 'response.completed' || type === 'response.incomplete')
  if (isObject(completed?.response)) return wholeAnswer(completed.response)
  const turns = new Map<string, StreamedTurn>()
  for (const event of events) read(event, (name, role) => turnNamed(turns, name, role))
  const errors = events.flatMap((event) => (isFailure(event) ? errorTurn(event.error ?? event) : []))
  return [
    ...[...turns.values()].flatMap(({ role, parts, calls }) => turn(role, [...parts, ...calledIn(calls)])),
    ...errors,
  ]
}

/** One choice of an answer while it is assembled. */
interface StreamedTurn {
  role: string
  parts: Part[]
  /** Arguments arrive as deltas, by the position of the call. */
  calls: Map<unknown, { name: string; given: string }>
}

type TurnNamed = (name: string, role: string) => StreamedTurn

const isFailure = ({ type, error }: Json) => type === 'error' || (error !== undefined && error !== null)

function read(event: Json, turnOf: TurnNamed) {
  if (Array.isArray(event.choices)) for (const choice of objectsIn(event.choices)) readChoice(choice, turnOf)
  else if (Array.isArray(event.candidates))
    for (const candidate of objectsIn(event.candidates)) readCandidate(candidate, turnOf)
  else readBlock(event, turnOf('', 'assistant'))
}

function readChoice({ index, delta, text }: Json, turnOf: TurnNamed) {
  const one = turnOf(String(index), 'assistant')
  if (typeof text === 'string') add(one, { kind: 'text', text })
  if (!isObject(delta)) return
  const reasoning = textIn(delta.reasoning_content ?? delta.reasoning)
  if (reasoning !== '') add(one, { kind: 'reasoning', text: reasoning })
  for (const part of partsOf(delta.content)) add(one, part)
  for (const part of partsOf(delta.refusal)) add(one, part)
  for (const { index: place, function: called } of objectsIn(delta.tool_calls))
    if (isObject(called)) addCall(one, place, called.name, called.arguments)
}

function readCandidate({ index, content }: Json, turnOf: TurnNamed) {
  if (!isObject(content)) return
  const one = turnOf(String(index ?? 0), textIn(content.role) || 'model')
  for (const part of partsOf(content.parts)) add(one, part)
}

/** Anthropic's blocks, and those of the Responses API when the stream was truncated. */
function readBlock(event: Json, one: StreamedTurn) {
  const { type, delta, content_block: block, item } = event
  if (type === 'content_block_start' && isObject(block)) {
    if (textIn(block.type).endsWith('tool_use')) addCall(one, event.index, block.name, '')
    else for (const part of partsOf([block])) add(one, part)
  }
  if (type === 'content_block_delta' && isObject(delta)) {
    if (delta.type === 'text_delta') add(one, { kind: 'text', text: textIn(delta.text) })
    if (delta.type === 'thinking_delta') add(one, { kind: 'reasoning', text: textIn(delta.thinking) })
    if (delta.type === 'input_json_delta') addCall(one, event.index, '', delta.partial_json)
  }
  if (type === 'response.output_text.delta' || type === 'response.refusal.delta')
    add(one, { kind: 'text', text: textIn(delta) })
  if (type === 'response.reasoning_summary_text.delta' || type === 'response.reasoning_text.delta')
    add(one, { kind: 'reasoning', text: textIn(delta) })
  if (type === 'response.output_item.added' && isObject(item) && item.type === 'function_call')
    addCall(one, event.output_index, item.name, '')
  if (type === 'response.function_call_arguments.delta') addCall(one, event.output_index, '', delta)
  if (textIn(type).endsWith('transcript.text.delta')) add(one, { kind: 'text', text: textIn(delta) })
}

function turnNamed(turns: Map<string, StreamedTurn>, name: string, role: string) {
  const known = turns.get(name) ?? { role, parts: [], calls: new Map() }
  turns.set(name, known)
  return known
}

function add(one: StreamedTurn, part: Part) {
  if (part.text !== '' || part.kind === 'toolCall') one.parts = appended(one.parts, part)
}

function addCall({ calls }: StreamedTurn, place: unknown, name: unknown, given: unknown) {
  const known = calls.get(place) ?? { name: '', given: '' }
  calls.set(place, { name: known.name || textIn(name), given: known.given + textIn(given) })
}

const calledIn = (calls: StreamedTurn['calls']) => [...calls.values()].map(({ name, given }) => call(name, given))
