import type { CallLog } from '../ledger/books.ts'

/** A traced call. Only gateways with telemetry have one. */
export interface CallTrace {
  /** The call is sent to a channel, under this model name. */
  attempt(route: { id: number; type: number }, model: string): void
  /** The channel failed; the call may continue at another one. */
  attemptFailed(failure: { class: string; status: number }): void
  /** Trace headers for the vendor of the current attempt. */
  headers(): Record<string, string>
  /** Reads the model name and finish reason from a chunk of the answer; keeps nothing else of it. */
  see(bytes: Uint8Array): void
  /** The charge is known. The call has ended if its answer had begun; otherwise another model may be tried, or it is refused. */
  settled(row: CallLog, call: SettledCall): void
  /** The caller got an error instead of an answer. */
  refused(end: { status: number; outcome: string; model: string | undefined }): void
}

export interface SettledCall {
  hasAnswer: boolean
  /** By the name that the caller used. */
  requestedModel: string
  /** The target of an alias, or the fallback that answered. */
  model: string
}

export interface TracedRequest {
  headers: Pick<Headers, 'get'>
  operation: string
  requestId: string
}
