import type { Access } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Clock } from '../clock.ts'
import type { Http } from '../upstream/http.ts'

export interface LaneNeeds {
  clock: Clock
  http: Http
  requestId: string
  /** The channel's access, with a short-lived token in place of the key where the vendor wants one. */
  accessOf(route: Route): Access | Promise<Access>
}
