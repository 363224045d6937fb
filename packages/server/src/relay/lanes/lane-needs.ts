import type { AttemptNeeds } from '../../upstream/open.ts'
import type { CallerItems } from './recent-items.ts'

export interface LaneNeeds extends AttemptNeeds {
  requestId: string
  /** Absent when no later call can refer to it. */
  items?: CallerItems
  /** Present when another model answers what this one refuses. */
  refusals?: CaughtRefusals | undefined
}

/** For a call that another model answers if this one refuses. */
export interface CaughtRefusals {
  /** Events arrived that are not sent yet. */
  received(): void
}
