import { type AdvisorUsage, failureOf, type UpstreamFailure, type Usage } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Mask } from '../upstream/mask.ts'
import type { Reported } from './meter/plausible-usage.ts'
import type { Call, RoutedCall } from './surfaces/call.ts'

/** What the caller sent and the vendor did not receive: tool types, and parameters by their chat-completions names. */
export interface Dropped {
  tools: readonly string[]
  parameters: readonly string[]
}

/** A vendor's answer: complete, or a stream whose first events have been read. */
export type Answer = {
  /** Vendor headers that a client may see. */
  headers?: Record<string, string>
  dropped?: Dropped
} & (
  | {
      kind: 'complete'
      bytes: Uint8Array<ArrayBuffer>
      type: string
      usage: Reported | undefined
      /** Our count of the output where it is known by its parts; otherwise the bytes are counted. */
      written?: number
      /** The service tier that the vendor reports. */
      serviceTier?: string | undefined
      /** The usage of images that another model generated for it. */
      imageUsage?: Usage | undefined
      /** The usage of advisor models. */
      advisors?: AdvisorUsage[] | undefined
      /** The model that wrote it in place of the called one. */
      servingModel?: string | undefined
      /** Made by the gateway: it says nothing about the vendor. */
      ours?: true
    }
  | {
      kind: 'stream'
      type: string
      /**
       * The next chunk, or undefined after the last. A function instead of a generator: it is called for every chunk of every stream, and
       * each generator on the way costs several turns of the event loop. A chunk ends after `outputMax` output tokens even if more has
       * arrived: it may be one event longer, but not as long as the network's.
       */
      next(outputMax: number): Promise<AnswerChunk | undefined>
      meter: Metering
      /** For vendor messages in a failure mid-stream. */
      mask: Mask
      /** The frame that reports a failure mid-stream to the client. */
      failed(failure: UpstreamFailure): string
      /** Raw audio: nobody could read a frame in it, so a failure closes the connection. */
      bare?: true
    }
)

/** Another channel can answer until the first output: before that, no more than that is read. */
export const FIRST_CHUNK = 1

/** Data for the client; `ending` must wait until the charge is durable. */
export interface AnswerChunk {
  bytes: Uint8Array
  ending: string | undefined
}

/** What is known of a running stream's cost. */
export interface Metering {
  /** The vendor's usage; undefined until it reports the output. */
  reported(): Reported | undefined
  /** The service tier that the vendor reports. */
  serviceTier?(): string | undefined
  /** The usage of images that another model generated for it. */
  imageUsage?(): Usage | undefined
  /** The usage of advisor models. */
  advisors?(): AdvisorUsage[] | undefined
  /** The model that wrote it in place of the called one. */
  servingModel?(): string | undefined
  /** The input usage reported so far. */
  reportedInput(): Partial<Usage>
  /** Counted output tokens that were delivered. */
  counted(): number
  /** Their bucket, if they are not text. */
  counts?: 'audioOutput'
  /** False when no usage will ever be reported, so that nobody waits for it. */
  reports?: false
  /** Whether the answer is complete; undefined when this kind of stream does not show it. */
  finished?(): boolean | undefined
  /** Whether anything billable was delivered. */
  hasContent(): boolean
  /** Whether the last event of an unfinished answer had no output: the vendor may now think, or run a tool, without a word. */
  announced(): boolean
}

export const upstreamModel = (call: RoutedCall, route: Route) => route.mapping.get(call.model) ?? call.model

/** The call under the upstream model name, which determines what it supports. */
export const underName = (call: Call, model: string): Call => (call.model === model ? call : { ...call, model })

/** A stream without content, usage or finish reason: its end mark alone is no answer. */
export const isEmpty = (meter: Metering) =>
  meter.finished?.() === false &&
  !meter.hasContent() &&
  meter.reported() === undefined &&
  Object.keys(meter.reportedInput()).length === 0

/** A stream that was closed properly, but before the model had finished. */
export const UNFINISHED = failureOf('server', 'The upstream broke off its answer: it closed the stream before the end')

/** Returns the value that was already read, then the rest. */
export const resumed = <T>(first: T, next: (outputMax: number) => Promise<T>): typeof next => {
  let given = false
  return (outputMax) => {
    if (given) return next(outputMax)
    given = true
    return Promise.resolve(first)
  }
}
