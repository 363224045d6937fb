import type { UpstreamFailure } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Call } from './call.ts'
import type { Reported } from './sane-usage.ts'

/** A vendor's answer: all of it, or a stream of which the first events have been looked at. */
export type Answer = {
  /** What else the vendor said that a client may know. */
  headers?: Record<string, string>
} & (
  | {
      kind: 'whole'
      bytes: Uint8Array<ArrayBuffer>
      type: string
      usage: Reported | undefined
      /** Made here: it says nothing about the vendor. */
      ours?: true
    }
  | {
      kind: 'stream'
      type: string
      pieces: AsyncGenerator<Piece>
      meter: Metering
      /** The frame that tells the client of a failure in the middle. */
      failed(failure: UpstreamFailure): string
    }
)

/** Something for the client; `ending` is what must wait until the charge is durable. */
export interface Piece {
  bytes: Uint8Array
  ending: string | undefined
}

/** What is known of a running stream's cost. */
export interface Metering {
  /** What the vendor reported, if it did. */
  reported(): Reported | undefined
  /** Output tokens delivered, by counting. */
  counted(): number
  /** Whether anything that is worth money was delivered. */
  hasContent(): boolean
}

export const upstreamModel = (call: Call, route: Route) => route.mapping.get(call.model) ?? call.model

/** A generator whose first value was already taken. */
export async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    if (first.done) return
    yield first.value
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
