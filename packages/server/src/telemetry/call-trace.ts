import type { CallLog } from '../ledger/books.ts'

/** One call while it is traced. Only calls of a gateway that sends telemetry have one. */
export interface CallTrace {
  /** The call is sent to a channel, under this name of the model. */
  attempt(route: { id: number; type: number }, model: string): void
  /** The channel did not answer; the call may go on at another one. */
  attemptFailed(failure: { class: string; status: number }): void
  /** What the vendor of the present attempt is told, so that it can continue the trace. */
  headers(): Record<string, string>
  /** Looks for the model's name and the reason for the end in a piece of the answer; keeps nothing else of it. */
  see(bytes: Uint8Array): void
  /** The charge is known. The call is over if its answer had begun; otherwise another model may be tried, or it is refused. */
  settled(row: CallLog, call: SettledCall): void
  /** The caller got an error instead of an answer. */
  refused(end: { status: number; outcome: string; model: string | undefined }): void
}

export interface SettledCall {
  hasAnswer: boolean
  /** By the name that the caller used. */
  askedModel: string
  /** What stands behind that name, or has answered instead. */
  model: string
}

export interface TracedRequest {
  headers: Pick<Headers, 'get'>
  operation: string
  requestId: string
}
