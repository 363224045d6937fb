import { type ChatPart, firstOutput, isFields, outputsIn, refusalIn } from '@tollgate/providers'
import { createSharedTimer } from '../../common/shared-timer.ts'
import { eventsIn } from '../../upstream/framing.ts'
import { type AnswerChunk, FIRST_CHUNK } from '../answer.ts'
import type { Call } from '../surfaces/call.ts'
import type { CaughtRefusals } from './lane-needs.ts'
import type { NextParts } from './translated-stream.ts'

/*
 * Refusals inside answers with status 200. Where the operator has named another model for refused content, they are errors like those of
 * vendors that refuse with an error, as long as nothing of the model's output was sent. For other calls none of this runs.
 */

type Next<Piece> = (outputMax: number) => Promise<Piece | undefined>

/** A stream is held back no longer: proxies and clients give up on an answer that does not begin. */
const HELD_BACK_MS = 5000

const heldLong = createSharedTimer(HELD_BACK_MS)

/** After a filter's text the stream ends at once; a model goes on writing. */
const LAST_TEXT_MS = 500

const writtenLong = createSharedTimer(LAST_TEXT_MS)
const LATE = Symbol('late')

/** Throws if a whole answer was refused. What cannot be read is an answer. */
export function throwRefusal({ operation }: Call, body: unknown) {
  const refusal = refusalIn(readable(() => operation.answers?.decode(body)) ?? [])
  if (refusal !== undefined) throw refusal
}

/** Reads a stream of the caller's dialect until the first output. Throws if it was refused before. */
export async function passRefusal(
  call: Call,
  next: Next<AnswerChunk>,
  caught: CaughtRefusals,
): Promise<Next<AnswerChunk>> {
  const decode = call.operation.answers?.streamDecoder()
  if (decode === undefined) return next
  const decoder = new TextDecoder()
  const partsIn = ({ bytes, ending = '' }: AnswerChunk) =>
    eventsIn(decoder.decode(bytes) + ending)
      .filter(({ data }) => data !== '')
      .flatMap(decode)
  const isLast = ({ ending }: AnswerChunk) => ending !== undefined
  return untilOutput(next, { partsIn, isLast, choices: choicesOf(call), caught, inText: false })
}

/** The same for the parts of a translated stream. `inText`: the refusal may be a text, see `refusesInText`. */
export async function catchRefusal(
  call: Call,
  parts: NextParts,
  { caught, inText }: Pick<Watched<unknown>, 'caught' | 'inText'>,
): Promise<NextParts> {
  const watched = { partsIn: (some: readonly ChatPart[]) => some, isLast: () => false }
  const next = await untilOutput(parts, { ...watched, choices: choicesOf(call), caught, inText })
  return () => next(FIRST_CHUNK)
}

interface Watched<Piece> {
  partsIn(piece: Piece): readonly ChatPart[]
  /** Nothing of the answer follows. */
  isLast(piece: Piece): boolean
  choices: number
  caught: CaughtRefusals
  inText: boolean
}

async function untilOutput<Piece>(
  next: Next<Piece>,
  { partsIn, isLast, choices, caught, inText }: Watched<Piece>,
): Promise<Next<Piece>> {
  const held: Promise<Piece | undefined>[] = []
  const parts: ChatPart[] = []
  let late = heldLong().then(() => LATE)
  for (let over = false; !over; ) {
    const reading = next(FIRST_CHUNK)
    held.push(reading)
    const piece = await Promise.race([reading, late])
    if (typeof piece === 'symbol') break
    caught.received()
    const some = piece === undefined ? [] : readable(() => partsIn(piece))
    if (some === undefined) break
    const output = firstOutput(some)
    parts.push(...(output < 0 || inText ? some : some.slice(0, output)))
    const ended = piece === undefined || isLast(piece)
    // A blocked prompt ends the answer without a word about the other choices.
    const refusal = refusalIn(parts, ended ? 1 : choices)
    if (refusal !== undefined) throw refusal
    const written = inText ? outputsIn(parts) : 0
    if (written === 1 && output >= 0) late = writtenLong().then(() => LATE)
    over = ended || (inText ? written > 1 : output >= 0)
  }
  return (outputMax) => held.shift() ?? next(outputMax)
}

/** Answers are passed on as they are, also those that no decoder of ours understands. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** How many choices the caller asked for. */
function choicesOf({ body }: Call) {
  const config = body.generationConfig ?? body.generation_config
  const inConfig = isFields(config) ? (config.candidateCount ?? config.candidate_count) : undefined
  const choices = body.n ?? inConfig
  return typeof choices === 'number' ? choices : 1
}
