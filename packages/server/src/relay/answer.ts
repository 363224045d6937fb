import { type AdvisorUsage, failureOf, type UpstreamFailure, type Usage } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Mask } from '../upstream/mask.ts'
import type { Reported } from './meter/plausible-usage.ts'
import type { Call, RoutedCall } from './surfaces/call.ts'

/** What the caller said and the vendor was not told: kinds of tools, and parameters by the names of chat completions. */
export interface Dropped {
  tools: readonly string[]
  parameters: readonly string[]
}

/** A vendor's answer: all of it, or a stream of which the first events have been looked at. */
export type Answer = {
  /** What else the vendor said that a client may know. */
  headers?: Record<string, string>
  dropped?: Dropped
} & (
  | {
      kind: 'complete'
      bytes: Uint8Array<ArrayBuffer>
      type: string
      usage: Reported | undefined
      /** How urgently the vendor worked, if it says so. */
      serviceTier?: string | undefined
      /** What pictures took that another model drew for it. */
      imageUsage?: Usage | undefined
      /** What other models were asked on the way. */
      advisors?: AdvisorUsage[] | undefined
      /** Made here: it says nothing about the vendor. */
      ours?: true
    }
  | {
      kind: 'stream'
      type: string
      /**
       * The next piece, or undefined after the last. A function and not a generator: this is asked for every piece of
       * every stream, and each generator on the way costs a piece several turns of the event loop. With `outputMax` tokens
       * of output a piece ends, though more has arrived: it may be one event longer, and not as long as the network's.
       */
      next(outputMax: number): Promise<AnswerChunk | undefined>
      meter: Metering
      /** For what the vendor says of a failure in the middle. */
      mask: Mask
      /** The frame that tells the client of a failure in the middle. */
      failed(failure: UpstreamFailure): string
      /** Nothing but sound: nobody could read a frame in it, so that a failure is told by cutting the connection. */
      bare?: true
    }
)

/** An answer can still be asked for elsewhere until its first word: before that, no more than that is read. */
export const FIRST_WORD = 1

/** Something for the client; `ending` is what must wait until the charge is durable. */
export interface AnswerChunk {
  bytes: Uint8Array
  ending: string | undefined
}

/** What is known of a running stream's cost. */
export interface Metering {
  /** What the vendor reported; undefined as long as it has not said how much was written. */
  reported(): Reported | undefined
  /** How urgently the vendor works, if it says so. */
  serviceTier?(): string | undefined
  /** What pictures took that another model drew for it. */
  imageUsage?(): Usage | undefined
  /** What other models were asked on the way. */
  advisors?(): AdvisorUsage[] | undefined
  /** What it has said of the input until then, and nothing from then on. */
  reportedInput(): Partial<Usage>
  /** Output tokens delivered, by counting. */
  counted(): number
  /** What these are, where they are not text. */
  counts?: 'audioOutput'
  /** False where no report will ever come, so that nobody has to wait for it. */
  reports?: false
  /** Whether the answer has been told to its end; undefined where the kind of stream does not show it. */
  finished?(): boolean | undefined
  /** Whether anything that is worth money was delivered. */
  hasContent(): boolean
}

export const upstreamModel = (call: RoutedCall, route: Route) => route.mapping.get(call.model) ?? call.model

/** The call under the name of the model that is really asked: what it takes is a matter of that one. */
export const underName = (call: Call, model: string): Call => (call.model === model ? call : { ...call, model })

/** A stream that has neither said nor reported anything, nor given a reason for its end: its mark alone is no answer. */
export const isEmpty = (meter: Metering) =>
  meter.finished?.() === false &&
  !meter.hasContent() &&
  meter.reported() === undefined &&
  Object.keys(meter.reportedInput()).length === 0

/** A stream that was closed in good order, before the model had finished. */
export const UNFINISHED = failureOf('server', 'The upstream broke off its answer: it closed the stream before the end')

/** Gives the value that was already taken, then the rest. */
export const resumed = <T>(first: T, next: (outputMax: number) => Promise<T>): typeof next => {
  let given = false
  return (outputMax) => {
    if (given) return next(outputMax)
    given = true
    return Promise.resolve(first)
  }
}
