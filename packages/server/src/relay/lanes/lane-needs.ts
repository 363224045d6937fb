import type { AttemptNeeds } from '../../upstream/open.ts'
import type { CallerItems } from './recent-items.ts'

export interface LaneNeeds extends AttemptNeeds {
  requestId: string
  /** Absent where nobody will ask again. */
  items?: CallerItems
}
