import type { Access } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Clock } from '../clock.ts'
import type { Wires } from '../upstream/open.ts'
import type { CallerItems } from './recent-items.ts'

export interface LaneNeeds extends Wires {
  clock: Clock
  requestId: string
  /** Absent where nobody will ask again. */
  items?: CallerItems
  /** The channel's access, with a short-lived token in place of the key where the vendor wants one. */
  accessOf(route: Route): Access | Promise<Access>
}
