import type { WebSearch } from './chat.ts'
import { defined, isFields, textOf } from './json.ts'

/** The location of the user; the members have the same names at every vendor. */
export function locationOf(place: unknown): WebSearch['location'] {
  if (!isFields(place)) return undefined
  const { city, region, country, timezone } = place
  return defined({ city: textOf(city), region: textOf(region), country: textOf(country), timezone: textOf(timezone) })
}
