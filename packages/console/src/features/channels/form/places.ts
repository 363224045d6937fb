import type { RoutePlace } from '@tollgate/contract'

/** Models of a group for which the channel has the same position. */
export interface SharedPlace extends Omit<RoutePlace, 'model'> {
  models: string[]
}

/** Most models of a channel have the same neighbours: they are merged, in their order. */
export const sharedPlaces = (places: readonly RoutePlace[]): SharedPlace[] => {
  const shared = new Map<string, SharedPlace>()
  for (const { model, ...place } of places) {
    const key = JSON.stringify(place)
    const known = shared.get(key) ?? { ...place, models: [] }
    known.models.push(model)
    shared.set(key, known)
  }
  return [...shared.values()]
}
