import { type ChatPart, type Dialect, inputTokens, NO_USAGE, outputTokens, type Usage } from '@tollgate/providers'
import { TOOLS } from '../../ledger/rounding.ts'
import type { Mask } from '../../upstream/mask.ts'
import { type Answer, type AnswerChunk, FIRST_CHUNK, type Metering, resumed } from '../answer.ts'
import { isFinalReport } from '../meter/final-report.ts'
import { inputOf } from '../meter/meter.ts'
import { tokensOfBytes } from '../meter/response-text.ts'
import { QUIET_MS } from '../quiet-times.ts'
import type { LaneNeeds } from './lane-needs.ts'

const encoder = new TextEncoder()

/** The parts of an answer, as many at a time as have arrived; undefined after the last. */
export type NextParts = () => Promise<readonly ChatPart[] | undefined>

/** A call without an id gets one that is unique across turns. It is short: some vendors accept 40 characters. */
export function withCallId(part: ChatPart, requestId: string): ChatPart {
  if (part.type !== 'tool-call' || part.name === undefined || part.id) return part
  return { ...part, id: `call_${requestId.replaceAll('-', '').slice(-20)}_${part.choice}_${part.call}` }
}

interface StreamContext {
  dialect: Dialect
  /** A frame that the caller's client ignores; undefined when the dialect has none. */
  keepAlive: string | undefined
  meta: Parameters<Dialect['stream']>[0]
  clock: LaneNeeds['clock']
  mask: Mask
}

/**
 * Translates what has arrived. It waits for the first content, so that an error before any can be tried elsewhere. After that, input
 * without output gives an empty chunk: the vendor is alive.
 */
export async function translateStream(
  parts: NextParts,
  { dialect, keepAlive, meta, clock, mask }: StreamContext,
): Promise<Answer> {
  const frames = dialect.stream(meta)
  const metering = partMeter()
  const quiet: AnswerChunk = keepAlive === undefined ? SILENCE : { bytes: encoder.encode(keepAlive), ending: undefined }
  let over = false
  let sentAt: number | undefined
  let waiting: readonly ChatPart[] = []
  const next = async (outputMax: number): Promise<AnswerChunk | undefined> => {
    while (!over) {
      const some = waiting.length > 0 ? waiting : await parts()
      if (some === undefined) {
        over = true
        return { bytes: NOTHING, ending: frames.end() }
      }
      if (some.length === 0) metering.announce()
      let text = ''
      let taken = 0
      for (const part of some) {
        if (taken > 0 && textBytes(part) > 0 && metering.counted() >= outputMax) break
        metering.read(part)
        text += frames.frame(withCallId(part, meta.id))
        taken++
      }
      waiting = some.slice(taken)
      if (text === '' && sentAt === undefined && !metering.hasContent()) continue
      if (text === '' && sentAt !== undefined && clock.now() - sentAt < QUIET_MS) return SILENCE
      sentAt = clock.now()
      return text === '' ? quiet : { bytes: encoder.encode(text), ending: undefined }
    }
    return undefined
  }
  const first = await next(FIRST_CHUNK)
  return {
    kind: 'stream',
    type: 'text/event-stream',
    next: resumed(first, next),
    meter: metering,
    mask,
    failed: frames.error,
  }
}

/** How much of it a model wrote. */
function textBytes(part: ChatPart) {
  if (part.type === 'refusal' && part.notice) return 0
  if (part.type === 'text' || part.type === 'reasoning' || part.type === 'refusal') return Buffer.byteLength(part.text)
  return part.type === 'tool-call' ? Buffer.byteLength(part.arguments) : 0
}

const NOTHING = new Uint8Array(0)
const SILENCE: AnswerChunk = { bytes: NOTHING, ending: undefined }

interface PartMeter extends Metering {
  read(part: ChatPart): void
  /** Something arrived that has no part. */
  announce(): void
}

/**
 * Later usage replaces earlier usage, unless it is lower: that is no later state of the call. Tool calls may be reported only once.
 */
function later(known: Partial<Usage> = {}, found: Partial<Usage>): Partial<Usage> {
  const whole = { ...known, ...found }
  const state = tokensOf(known) > tokensOf(whole) ? { ...known } : whole
  for (const tool of TOOLS) {
    const runs = Math.max(known[tool] ?? 0, found[tool] ?? 0)
    if (runs > 0) state[tool] = runs
  }
  return state
}

const tokensOf = (usage: Partial<Usage>) => {
  const whole = { ...NO_USAGE, ...usage }
  return inputTokens(whole) + outputTokens(whole)
}

export function partMeter(): PartMeter {
  let usage: Partial<Usage> | undefined
  let serviceTier: string | undefined
  // Bytes, not tokens: parts are as short as a word, and rounding each of them up would double the count.
  let bytes = 0
  let announced = false
  let finished = false
  let free = false
  /** The count when output was last reported. */
  let reportedAt = 0
  const finalReport = () => {
    if (usage?.output === undefined) return undefined
    const whole = { ...NO_USAGE, ...usage }
    return isFinalReport(whole, { bytes, reportedAt }) ? whole : undefined
  }
  return {
    read(part) {
      announced = textBytes(part) === 0
      finished ||= part.type === 'finish'
      if (part.type === 'usage') {
        usage = later(usage, part.usage)
        serviceTier = part.serviceTier ?? serviceTier
        free ||= part.free === true
        if (part.usage.output !== undefined) reportedAt = bytes
      } else bytes += textBytes(part)
    },
    // A stream that was cut off has reported its input but not its output: then the delivered output is counted.
    reported: () => (free && bytes === 0 ? 'free' : finalReport()),
    serviceTier: () => serviceTier,
    reportedInput: () => (finalReport() === undefined ? inputOf(usage) : {}),
    counted: () => tokensOfBytes(bytes),
    hasContent: () => bytes > 0,
    announce() {
      announced = true
    },
    announced: () => announced && !finished,
  }
}
