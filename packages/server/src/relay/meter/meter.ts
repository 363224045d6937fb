import {
  type AdvisorUsage,
  brokenFinish,
  inputTokens,
  isFields,
  NO_USAGE,
  openAiError,
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
import { AUDIO, byteText, contentLength, DELTAS, outputMembers, tokensOfBytes } from './response-text.ts'
import { speechTokens } from './speech-tokens.ts'

/** What the meter returns for a chunk of a stream. */
export interface Metered {
  /** The bytes for the client, unchanged unless something had to be removed. */
  bytes: Uint8Array
  /** The closing event, which is held back until the charge is durable. */
  ending: string | undefined
  /** An error that the vendor put into the stream: its data, and the raw events. */
  error: { data: string; raw: string } | undefined
}

export interface StreamMeter extends Metering {
  read(bytes: Uint8Array): Metered
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** What makes a chunk worth parsing: usage, an end or an error, in any of the dialects. `"usage":null` does not count. */
const SPECIAL =
  /"usage(?:Metadata)?"[ :]*\{|\[DONE\]|"(?:error|network_error|abort)"|event: ?error|message_stop|response\.(?:completed|incomplete|failed)/
/** The same when every chunk repeats the usage: then only the last one, and the one with searches, are read. */
const RARE = /"error"|"webSearchQueries"|"maps"/

/**
 * Inspects a passing stream without parsing it: most chunks contain neither usage nor an end, as a byte search shows, and pass
 * unchanged. Only the few that do are parsed.
 */
export const createStreamMeter = (operation: Operation, { hideUsage }: { hideUsage: boolean }): StreamMeter => {
  let usage: Usage | undefined
  let outputReported = false
  let nonsense = false
  let serviceTier: string | undefined
  let imageUsage: Usage | undefined
  let advisors: AdvisorUsage[] | undefined
  let servingModel: string | undefined
  let free = false
  let textBytes = 0
  /** How much had been written at the last output usage. */
  let reportedAt = 0
  const isSpeech = operation.name === 'audio/speech'
  const members = operation.name === 'responses' ? DELTAS : isSpeech ? AUDIO : outputMembers(operation)

  const ends = operation.stream.finishes
  let finished = false
  let announced = false

  const special = operation.usage.repeated ? RARE : SPECIAL
  let reporting: { bytes: Uint8Array; from: number } | undefined

  /** True when it contains output usage. */
  const note = (parsed: unknown): boolean => {
    const found = operation.usage.read(parsed)
    const serving = operation.usage.readServingModel?.(parsed)
    // What was reported before is about the model that declined.
    if (serving !== undefined) usage = undefined
    servingModel = serving ?? servingModel
    if (found !== undefined) usage = operation.usage.inParts ? merged(usage, found) : later(usage, found)
    const reports = found?.output !== undefined
    outputReported ||= reports
    nonsense ||= hasInvalidUsage(parsed)
    free ||= operation.usage.isFree?.(parsed) === true
    serviceTier = operation.usage.readServiceTier(parsed) ?? serviceTier
    imageUsage = operation.usage.readImages?.(parsed) ?? imageUsage
    advisors = operation.usage.readAdvisors?.(parsed) ?? advisors
    return reports
  }

  /** An error as the client libraries of the dialect recognise it. */
  const asRead = isChat(operation) ? chatError : ({ raw }: ServerEvent) => raw

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
        // Some vendors send a mark of their own after the end. An error there concerns something else.
        if (!isError(event, parsed)) ending += event.raw
      } else if (isError(event, parsed)) {
        error = { data: error?.data ?? event.data, raw: (error?.raw ?? '') + asRead(event, parsed) }
      } else if (operation.stream.isEnding(event)) {
        ending = event.raw
      } else if (!(hideUsage && isUsageOnly(parsed))) {
        kept += event.raw
        // Counts what goes to the client: the text of an error is not part of the answer.
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
      const length = contentLength(text, members)
      announced = length === 0 || endsWithout(text, members)
      if (!special.test(text)) {
        textBytes += length
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
      if (nonsense) return 'implausible'
      return free && textBytes === 0 ? 'free' : finalReport()
    },
    serviceTier: () => serviceTier,
    imageUsage: () => imageUsage,
    advisors: () => advisors,
    servingModel: () => servingModel,
    // Half of an impossible report is no better than the other.
    reportedInput: () => (nonsense || finalReport() !== undefined ? {} : inputOf(usage)),
    finished: () => (ends === undefined ? undefined : finished),
    ...(isSpeech ? { counts: 'audioOutput' as const } : {}),
    counted: () => (isSpeech ? speechTokens(secondsOfLetters(textBytes)) : tokensOfBytes(textBytes)),
    hasContent: () => textBytes > 0,
    announced: () => announced && !finished,
  }
}

/** Whether the last of several events has no output. */
const endsWithout = (text: string, members: RegExp) => {
  const lastAt = text.lastIndexOf('\n\n', text.length - 3)
  return lastAt !== -1 && contentLength(text.slice(lastAt), members) === 0
}

/** For base64 audio at typical compression. */
const secondsOfLetters = (letters: number) => (letters * 3) / 4 / 16_000

/** The input part of the usage. Some vendors fill in zeros where they do not count. */
export const inputOf = (usage: Partial<Usage> = {}): Partial<Usage> => {
  const { output, reasoning, audioOutput, imageOutput, ...stated } = usage
  if (inputTokens({ ...NO_USAGE, ...stated }) > 0) return stated
  const { input, ...rest } = stated
  return rest
}

/**
 * Later usage replaces earlier usage, because it may split the same tokens differently: input becomes cached input at the end.
 * A lower count is no later state of the call. Tool calls may be reported only once, and some vendors report input and output apart.
 */
function later(known: Usage | undefined, found: Partial<Usage>): Usage {
  const isWhole = found.input !== undefined && found.output !== undefined
  const whole = { ...NO_USAGE, ...(isWhole ? undefined : known), ...found }
  if (known === undefined) return whole
  const state = { ...(tokensOf(known) > tokensOf(whole) ? known : whole) }
  for (const tool of TOOLS) state[tool] = Math.max(known[tool], whole[tool])
  return state
}

const tokensOf = (usage: Usage) => inputTokens(usage) + outputTokens(usage)

/** Input is reported at the start and output at the end: the larger count is the later one. */
function merged(known: Usage = NO_USAGE, found: Partial<Usage>): Usage {
  const sum = { ...known }
  for (const bucket of BUCKETS) sum[bucket] = Math.max(known[bucket], found[bucket] ?? 0)
  // The final usage reports cache writes of all lifetimes as one count.
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
 * `{ error }` in most dialects, a bare object in vLLM's, and anything in an event of that name. The Responses dialect has an event of
 * type `error`, and a failed response; if that contains usage, it is an end like any other.
 */
function isError({ event }: ServerEvent, parsed: unknown) {
  if (event === 'error') return true
  if (typeof parsed !== 'object' || parsed === null) return false
  const type = 'type' in parsed ? parsed.type : undefined
  if ('response' in parsed) return type === 'response.failed' && readOpenAiUsage(parsed) === undefined
  if ('error' in parsed && parsed.error !== null) return true
  if ('choices' in parsed) return stoppedWith(parsed) !== undefined
  return type === 'error' || ('object' in parsed && parsed.object === 'error')
}

const isChat = ({ name }: Operation) => name === 'chat/completions' || name === 'completions'

/**
 * OpenAI's libraries look for `error`, and for nothing else. OpenRouter puts it inside a chunk of the answer, of which some then only
 * see the answer; vLLM's errors are bare, and without a member of that name the stream would seem to have ended.
 */
function chatError({ raw, data }: ServerEvent, parsed: unknown) {
  if (!isFields(parsed)) return framed({ error: { message: data, type: 'upstream_error', param: null, code: null } })
  const { choices, ...rest } = parsed
  const stopped = rest.error == null ? stoppedWith(parsed) : undefined
  if (stopped !== undefined) return framed(openAiError(stopped.failure))
  if (rest.error == null) return framed({ error: rest })
  return choices === undefined ? raw : framed(rest)
}

/** The error with which the answer ended, by its finish reason. */
const stoppedWith = ({ choices }: { choices?: unknown }) => {
  const [choice]: unknown[] = Array.isArray(choices) ? choices : []
  return isFields(choice) ? brokenFinish(choice) : undefined
}

const framed = (body: object) => `data: ${JSON.stringify(body)}\n\n`

/** The extra chunk of `include_usage`: no choices, only numbers. */
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
