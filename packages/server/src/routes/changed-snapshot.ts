import { type Snapshot, snapshotOf } from '../catalog/snapshot.ts'

/** The new position of a channel. */
export interface ChannelPosition {
  id: number
  priority: number
  weight: number
}

/** The channels as if these changes had been saved. Unknown channels are ignored. */
export const withPositions = ({ routes }: Snapshot, changes: readonly ChannelPosition[]): Snapshot => {
  const changed = new Map(routes)
  for (const { id, priority, weight } of changes) {
    const route = routes.get(id)
    if (route !== undefined) changed.set(id, { ...route, priority, weight })
  }
  return snapshotOf(changed)
}
