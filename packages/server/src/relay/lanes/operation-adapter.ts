import type { Access, Encoded, Moment, TaskFollower, Usage } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import type { Call, RoutedCall } from '../surfaces/call.ts'
import type { LaneNeeds } from './lane-needs.ts'

/** A call that is no chat, for vendors with a form of their own for it. */
export interface OperationAdapter {
  /** Whether the vendor offers it. */
  suits(call: RoutedCall, route: Route): boolean
  encode(call: Call, order: AdaptedRequest): Encoded | Promise<Encoded>
  /** Where the vendor's first answer is only a receipt. */
  task?(route: Route): TaskFollower | undefined
  /** The vendor's answer as the caller's dialect shows it. */
  show(call: Call, route: Route, body: unknown, needs: LaneNeeds): AdaptedAnswer | Promise<AdaptedAnswer>
}

export interface AdaptedRequest {
  route: Route
  access: Access
  moment: Moment
  /** The upstream's name of it. */
  model: string
}

/** JSON, or bytes of a type. */
export type AdaptedAnswer = { usage: Usage | undefined } & (
  | { shown: unknown }
  | { bytes: Uint8Array<ArrayBuffer>; type: string }
)
