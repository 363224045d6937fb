import {
  type AdvisorUsage,
  inputTokens,
  NO_USAGE,
  outputTokens,
  readOpenAiUsage,
  type Usage,
} from '@tollgate/providers'
import { BUCKETS, TOOLS } from '../../ledger/rounding.ts'
import { eventsIn, type ServerEvent } from '../../upstream/framing.ts'
import type { Metering } from '../answer.ts'
import type { Operation } from '../surfaces/operation.ts'
import { isFinalReport } from './final-report.ts'
import { hasInvalidUsage } from './plausible-usage.ts'
import { byteText, contentLength, DELTAS, SOUND, tokensOfBytes } from './response-text.ts'
import { spokenTokens } from './spoken-tokens.ts'

/** What the meter makes of a piece of a stream. */
export interface Metered {
  /** What goes to the client; the same bytes, unless something had to be taken out. */
  bytes: Uint8Array
  /** The closing event, which is held back until the charge is durable. */
  ending: string | undefined
  /** An error that the vendor put into the stream: what it says, and the events that say it. */
  error: { data: string; raw: string } | undefined
}

export interface StreamMeter extends Metering {
  read(bytes: Uint8Array): Metered
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** What makes a piece worth parsing: a report, an end or an error, in any of the dialects. `"usage":null` is no report. */
const SPECIAL = /"usage(?:Metadata)?"[ :]*\{|\[DONE\]|"error"|message_stop|response\.(?:completed|incomplete|failed)/
/** The same where every piece reports anew: then the last report is read, and the one that tells of searches. */
const RARE = /"error"|"webSearchQueries"|"maps"/

/**
 * Looks into a passing stream without taking it apart: most pieces contain neither usage nor an
 * end, which a search of their bytes shows, and go on as they are. Only the few that do are parsed.
 */
export const createStreamMeter = (operation: Operation, { hideUsage }: { hideUsage: boolean }): StreamMeter => {
  let usage: Usage | undefined
  let outputReported = false
  let nonsense = false
  let serviceTier: string | undefined
  let imageUsage: Usage | undefined
  let advisors: AdvisorUsage[] | undefined
  let textBytes = 0
  /** How much had been written when the last report of output came. */
  let reportedAt = 0
  const isSpeech = operation.name === 'audio/speech'
  const members = operation.name === 'responses' ? DELTAS : isSpeech ? SOUND : undefined

  const ends = operation.stream.finishes
  let finished = false

  const special = operation.usage.repeated ? RARE : SPECIAL
  let reporting: { bytes: Uint8Array; from: number } | undefined

  /** True for a report of output. */
  const note = (parsed: unknown): boolean => {
    const found = operation.usage.read(parsed)
    if (found !== undefined) usage = operation.usage.inParts ? merged(usage, found) : later(usage, found)
    const reports = found?.output !== undefined
    outputReported ||= reports
    nonsense ||= hasInvalidUsage(parsed)
    serviceTier = operation.usage.readServiceTier(parsed) ?? serviceTier
    imageUsage = operation.usage.readImages?.(parsed) ?? imageUsage
    advisors = operation.usage.readAdvisors?.(parsed) ?? advisors
    return reports
  }

  const lengthOf = (raw: string) => contentLength(byteText(encoder.encode(raw)), members)

  const finalReport = () =>
    outputReported && usage !== undefined && isFinalReport(usage, { bytes: textBytes, reportedAt }) ? usage : undefined

  const inspect = (bytes: Uint8Array): Metered => {
    let ending: string | undefined
    let error: Metered['error']
    let kept = ''
    for (const event of eventsIn(decoder.decode(bytes))) {
      const parsed = parse(event)
      const reports = note(parsed)
      if (ending !== undefined) {
        // Some vendors put a mark of their own behind the end. An error there is about something else.
        if (!isError(parsed)) ending += event.raw
      } else if (isError(parsed)) {
        error = { data: error?.data ?? event.data, raw: (error?.raw ?? '') + alone(event, parsed) }
      } else if (operation.stream.isEnding(event)) {
        ending = event.raw
      } else if (!(hideUsage && isUsageOnly(parsed))) {
        kept += event.raw
        // Of what goes to the client: the text of an error is nobody's answer.
        textBytes += lengthOf(event.raw)
      }
      if (reports) reportedAt = textBytes
    }
    return { bytes: encoder.encode(kept), ending, error }
  }

  return {
    read(bytes) {
      const text = byteText(bytes)
      if (ends !== undefined && !finished) finished = ends.test(text)
      if (operation.usage.repeated && SPECIAL.test(text)) reporting = { bytes, from: textBytes }
      if (!special.test(text)) {
        textBytes += contentLength(text, members)
        return { bytes, ending: undefined, error: undefined }
      }
      return inspect(bytes)
    },
    reported() {
      let at = reporting?.from ?? 0
      for (const event of reporting === undefined ? [] : eventsIn(decoder.decode(reporting.bytes))) {
        at += lengthOf(event.raw)
        if (note(parse(event))) reportedAt = at
      }
      reporting = undefined
      return nonsense ? 'implausible' : finalReport()
    },
    serviceTier: () => serviceTier,
    imageUsage: () => imageUsage,
    advisors: () => advisors,
    reportedInput: () => (finalReport() === undefined ? inputOf(usage) : {}),
    finished: () => (ends === undefined ? undefined : finished),
    ...(isSpeech ? { counts: 'audioOutput' as const } : {}),
    counted: () => (isSpeech ? spokenTokens(secondsOfLetters(textBytes)) : tokensOfBytes(textBytes)),
    hasContent: () => textBytes > 0,
  }
}

/** Of sound in letters of base64, as compressed as it usually is. */
const secondsOfLetters = (letters: number) => (letters * 3) / 4 / 16_000

/** Of a report: how much went in. Some vendors fill in zeros where they do not count. */
export const inputOf = (usage: Partial<Usage> = {}): Partial<Usage> => {
  const { output, reasoning, audioOutput, imageOutput, ...stated } = usage
  if (inputTokens({ ...NO_USAGE, ...stated }) > 0) return stated
  const { input, ...rest } = stated
  return rest
}

/**
 * A later statement replaces the earlier one, because it may take the same tokens apart in another way: what was input
 * is cached input at the end. One that counts less is no later state of the call. Tools may be told of once only.
 */
function later(known: Usage | undefined, found: Partial<Usage>): Usage {
  const whole = { ...NO_USAGE, ...found }
  if (known === undefined) return whole
  const state = { ...(tokensOf(known) > tokensOf(whole) ? known : whole) }
  for (const tool of TOOLS) state[tool] = Math.max(known[tool], whole[tool])
  return state
}

const tokensOf = (usage: Usage) => inputTokens(usage) + outputTokens(usage)

/** The input is stated at the beginning and the output at the end: the larger count is the later one. */
function merged(known: Usage = NO_USAGE, found: Partial<Usage>): Usage {
  const sum = { ...known }
  for (const bucket of BUCKETS) sum[bucket] = Math.max(known[bucket], found[bucket] ?? 0)
  // The end of a stream counts what was written to caches of any age as one.
  const written = (found.cacheWrite ?? 0) - (found.cacheWriteLong === undefined ? known.cacheWriteLong : 0)
  return { ...sum, cacheWrite: Math.max(known.cacheWrite, written) }
}

function parse(event: ServerEvent): unknown {
  try {
    return event.data === '' ? undefined : JSON.parse(event.data)
  } catch {
    return undefined
  }
}

/**
 * `{ error }` in most dialects, and an object of its own in vLLM's. The Responses dialect has an event of the type
 * `error`, and a response that failed; where that states what it used, it is an end like any other.
 */
function isError(parsed: unknown) {
  if (typeof parsed !== 'object' || parsed === null) return false
  const type = 'type' in parsed ? parsed.type : undefined
  if ('response' in parsed) return type === 'response.failed' && readOpenAiUsage(parsed) === undefined
  if ('error' in parsed && parsed.error !== null) return true
  return type === 'error' || ('object' in parsed && parsed.object === 'error')
}

/** OpenRouter tells an error inside a piece of the answer, and some client libraries then hear only the answer. */
function alone({ raw }: ServerEvent, parsed: unknown) {
  if (typeof parsed !== 'object' || parsed === null || !('choices' in parsed)) return raw
  const { choices: _, ...rest } = parsed
  return `data: ${JSON.stringify(rest)}\n\n`
}

/** The extra chunk that `include_usage` brings: no choices, only numbers. */
function isUsageOnly(parsed: unknown) {
  return (
    typeof parsed === 'object' &&
    parsed !== null &&
    'usage' in parsed &&
    typeof parsed.usage === 'object' &&
    parsed.usage !== null &&
    'choices' in parsed &&
    Array.isArray(parsed.choices) &&
    parsed.choices.length === 0
  )
}
