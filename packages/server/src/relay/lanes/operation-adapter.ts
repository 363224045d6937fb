import type { Access, EncodeContext, Encoded, TaskFollower, Usage } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import type { Call, RoutedCall } from '../surfaces/call.ts'
import type { LaneNeeds } from './lane-needs.ts'

/** An operation other than chat, for vendors with their own format. */
export interface OperationAdapter {
  /** Whether the vendor supports it. */
  suits(call: RoutedCall, route: Route): boolean
  encode(call: Call, order: AdaptedRequest): Encoded | Promise<Encoded>
  /** Set when the vendor's first answer is only a task id. */
  task?(route: Route): TaskFollower | undefined
  /** The vendor's answer in the caller's dialect. */
  show(call: Call, route: Route, body: unknown, needs: LaneNeeds): AdaptedAnswer | Promise<AdaptedAnswer>
}

export interface AdaptedRequest {
  route: Route
  access: Access
  context: EncodeContext
  /** The upstream name of the model. */
  model: string
}

/** JSON, or bytes of a type. */
export type AdaptedAnswer = { usage: Usage | undefined } & (
  | { shown: unknown }
  | { bytes: Uint8Array<ArrayBuffer>; type: string }
)
