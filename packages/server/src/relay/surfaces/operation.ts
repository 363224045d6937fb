import type {
  Access,
  AdvisorUsage,
  Dialect,
  Provider,
  UpstreamFailure,
  UpstreamRequest,
  Usage,
} from '@tollgate/providers'
import type { ServerEvent } from '../../upstream/framing.ts'
import type { Repair } from '../lanes/repair-events.ts'
import type { ApiFamily } from './api-family.ts'

/** One kind of call: how it is asked, sent, metered and streamed. */
export interface Operation {
  name: string
  family: ApiFamily
  /** The body is JSON, or a form with a file. */
  body: 'json' | 'form'
  /** The answer is JSON (or a stream of it), or bytes. */
  answer: 'json' | 'bytes'
  /** Whether the answer is written by a model, so that its length is not known in advance. */
  writes: boolean
  /** Used when a request names no model, as OpenAI does. */
  defaultModel?: string
  /** Headers by which the dialect's clients choose versions and previews; a vendor of the dialect has to hear them. */
  forwardedHeaders?: readonly string[]
  /** Present for chats, which can also be translated for vendors of another dialect. */
  dialect?: Dialect
  /** Present for calls that count tokens, which are free: the answer, for vendors that have no such call. */
  countBody?(tokens: number): unknown
  native: NativeCall
  usage: UsageReports
  stream: StreamShape
}

/** How vendors that speak the caller's dialect take the call. */
export interface NativeCall {
  /** Undefined when the vendor does not offer the call in this dialect. */
  address(provider: Provider, access: Access, model: string, stream?: boolean): Address | undefined
  /** Whether the vendor takes the body as it came; absent means always. */
  takes?(provider: Provider, body: Record<string, unknown>): boolean
  /** Members that the vendor refuses, and that are only wishes. */
  without?(provider: Provider): readonly string[]
  /** Where the vendor's answers are not quite the dialect; for one answer, whole or streamed. */
  repair?(provider: Provider): Repair | undefined
}

/** Where a native call goes. */
export interface Address {
  url: string
  headers: Record<string, string>
  /** False where the vendor takes `stream_options` for a mistake. */
  streamOptions?: boolean
  /** The body as this vendor takes it. */
  amend?: (body: string) => string
  /** The request as this vendor takes it, when all else is said. */
  finish?: (request: UpstreamRequest, nowMs: number) => UpstreamRequest | Promise<UpstreamRequest>
}

/** What an answer reports about its own cost. */
export interface UsageReports {
  /** What one body or event states; the members it leaves out are not known. */
  read(body: unknown): Partial<Usage> | undefined
  /** How urgently the vendor worked, where one body or event says so. */
  readServiceTier(body: unknown): string | undefined
  /** What pictures took that were drawn on the way, by another model than the one that was called. */
  readImages?(body: unknown): Usage | undefined
  /** What other models were asked on the way; `read` leaves it out. */
  readAdvisors?(body: unknown): AdvisorUsage[] | undefined
  /** The vendor sends usage with a stream only if asked. */
  onRequest?: true
  /** Every event of a stream states the usage anew: the last one is enough. */
  repeated?: true
  /** Events of a stream state different members of the usage; elsewhere each statement is of the whole call. */
  inParts?: true
}

/** How the dialect frames a stream: its end, its failure, its silence. */
export interface StreamShape {
  /** The event after which nothing follows; it waits for the charge. */
  isEnding(event: ServerEvent): boolean
  /**
   * The reason for the end, with which a stream is complete though its last event is missing. It is looked for in bytes;
   * inside of what a model says, the quotes would have backslashes. Absent where streams need not have an end.
   */
  finishes?: RegExp
  /** Sent at the end where the vendor forgot to, though it gave a reason for the end. */
  lastFrame: string
  failedFrame(failure: UpstreamFailure): string
  /**
   * What is sent while there is nothing to tell. Undefined where a client library in use can read nothing but data: then
   * a stream contains no comments either, be they ours or the vendor's.
   */
  keepAlive: string | undefined
}

/** What the path says, where a dialect does not leave it to the body. */
export interface PathHints {
  model?: string
  stream?: boolean
}
