import type { AttemptNeeds } from '../../upstream/open.ts'
import type { CallerItems } from './recent-items.ts'

export interface LaneNeeds extends AttemptNeeds {
  requestId: string
  /** Absent when no later call can refer to it. */
  items?: CallerItems
}
