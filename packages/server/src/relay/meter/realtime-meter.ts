import { jsonOrUndefined, NO_USAGE, readOpenAiUsage, type Usage } from '@tollgate/providers'
import { BUCKETS } from '../../ledger/rounding.ts'
import type { CallEnd } from '../settlement.ts'
import { fieldsOf } from '../surfaces/fields.ts'
import { withBothSides } from './one-sided-usage.ts'
import { hasInvalidUsage, isPlausible } from './plausible-usage.ts'
import { contentBytes, DELTAS } from './response-text.ts'

/** The cost of a realtime conversation so far. */
export interface RealtimeMeter {
  /** A message from the client is sent upstream. */
  sent(message: string): void
  /** A message from the vendor. True when the cost may have changed significantly. */
  onVendorMessage(message: string): boolean
  /** Everything so far, including the delivered part of an unfinished response. */
  usage(): Usage
  /** The cost of other models in the conversation: the transcription of the input. */
  beside(): number
  end(): Pick<CallEnd, 'reported' | 'counted' | 'beside'>
}

/** A token is 100 ms of audio input and 50 ms of audio output: this many characters of base64, at 24 kHz and 16 bits. */
const CHARACTERS_PER_INPUT_TOKEN = 6400
const CHARACTERS_PER_OUTPUT_TOKEN = 3200

/** A delta of a response; input transcripts arrive as deltas too, and are not part of an answer. */
const GIVEN = /"type":\s*"response\.[\w.]+\.delta"/

/** A long response is checked before it ends, each time it has grown by this many tokens. */
const CHECK_EVERY_TOKENS = 256

/**
 * Reads usage from events that contain it. Each response is charged by its own usage; by our count if that is implausible, or if
 * the conversation ended before it. Most events are audio and are not parsed.
 */
export const createRealtimeMeter = (priceOf: (model: string, usage: Usage) => number): RealtimeMeter => {
  let total = NO_USAGE
  let source: 'reported' | 'estimated' | 'implausible' = 'reported'
  let beside = 0
  let transcriber = ''
  /** Our count of the conversation, which each response rereads, and of the current response. */
  const context = { text: 0, audio: 0 }
  const response = { text: 0, audio: 0 }
  let checkAt = CHECK_EVERY_TOKENS

  const running = () => response.text + response.audio
  const unfinished = (): Usage =>
    running() === 0
      ? NO_USAGE
      : {
          ...NO_USAGE,
          input: Math.ceil(context.text),
          audioInput: Math.ceil(context.audio),
          output: Math.ceil(response.text),
          audioOutput: Math.ceil(response.audio),
        }

  const responseDone = (event: unknown) => {
    const stated = readOpenAiUsage(event)
    const counted = unfinished()
    const isImplausible = hasInvalidUsage(event) || (stated !== undefined && !isPlausible(stated, undefined, nothing))
    const used = isImplausible || stated === undefined ? counted : withBothSides(stated, unfinished)
    if (isImplausible) source = 'implausible'
    else if (used !== stated && running() > 0 && source === 'reported') source = 'estimated'
    total = sum(total, used)
    context.text += response.text
    context.audio += response.audio / 2
    response.text = 0
    response.audio = 0
    checkAt = CHECK_EVERY_TOKENS
  }

  const transcribed = (event: unknown) => {
    const usage = transcriptionUsage(event)
    if (usage !== undefined && isPlausible(usage, undefined, nothing) && !hasInvalidUsage(event))
      beside += priceOf(transcriber, usage)
  }

  return {
    sent(message) {
      if (message.includes('"input_audio_buffer.append"')) context.audio += message.length / CHARACTERS_PER_INPUT_TOKEN
      else context.text += Buffer.byteLength(message) / 4
    },
    onVendorMessage(message) {
      if (GIVEN.test(message)) {
        if (message.includes('audio.delta"')) response.audio += message.length / CHARACTERS_PER_OUTPUT_TOKEN
        else response.text += contentBytes(Buffer.from(message), DELTAS) / 4
        if (running() < checkAt) return false
        checkAt += CHECK_EVERY_TOKENS
        return true
      }
      if (message.includes('"response.done"')) return readEvent(message, 'response.done', responseDone)
      if (message.includes('transcription.completed"'))
        return readEvent(message, 'conversation.item.input_audio_transcription.completed', transcribed)
      if (message.includes('"transcription"') || message.includes('"input_audio_transcription"')) {
        transcriber = transcriberIn(jsonOrUndefined(message)) ?? transcriber
      }
      return false
    },
    usage: () => sum(total, unfinished()),
    beside: () => beside,
    end() {
      const all = sum(total, unfinished())
      const cutOff = running() > 0
      const reported = source === 'implausible' ? 'implausible' : source === 'estimated' || cutOff ? undefined : all
      return { reported, counted: () => all, ...(beside === 0 ? {} : { beside }) }
    },
  }
}

/** The conversation is stored at the vendor: our count does not know its size. */
const nothing = () => 0

/** Calls `read` if the event has that type: the text may also occur inside another one. */
function readEvent(message: string, type: string, read: (event: unknown) => void) {
  const event = jsonOrUndefined(message)
  if (fieldsOf(event).type !== type) return false
  read(event)
  return true
}

/** By tokens, or by seconds for older models. */
function transcriptionUsage(event: unknown): Usage | undefined {
  const { type, seconds } = fieldsOf(fieldsOf(event).usage)
  if (type === 'duration' && typeof seconds === 'number' && seconds >= 0)
    return { ...NO_USAGE, audioInput: Math.ceil(seconds * 10) }
  return readOpenAiUsage(event)
}

/** The transcription model of a session, in the older and the current format. */
function transcriberIn(event: unknown): string | undefined {
  const session = fieldsOf(fieldsOf(event).session)
  const named = fieldsOf(session.input_audio_transcription).model
  const nested = fieldsOf(fieldsOf(fieldsOf(session.audio).input).transcription).model
  return [named, nested].find((model) => typeof model === 'string')
}

function sum(one: Usage, other: Usage): Usage {
  const total = { ...one }
  for (const bucket of BUCKETS) total[bucket] += other[bucket]
  return total
}
