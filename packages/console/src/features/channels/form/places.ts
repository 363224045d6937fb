import type { RoutePlace } from '@tollgate/contract'

/** Models of a group for which the channel stands in the same place. */
export interface SharedPlace extends Omit<RoutePlace, 'model'> {
  models: string[]
}

/** Most models of a channel have the same neighbours: they are told together, in the order in which they come. */
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
