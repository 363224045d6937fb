import { type Channel, headerName, isSamePlace } from '@tollgate/contract'
import { type ChannelValues, configOf, toValues } from './channel-values.ts'

/** A stored key is bound to its vendor, host and account; elsewhere it has to be entered again. */
export const mustRetype = (values: ChannelValues, stored: Channel) =>
  !isSamePlace(placeOf(values), placeOf(toValues(stored)))

/** The headers with a stored value; none if the channel now points elsewhere. */
export const keptHeaders = (stored: Channel | undefined, retype: boolean): ReadonlySet<string> => {
  const rules = stored === undefined || retype ? [] : (configOf(stored).header_rules ?? [])
  return new Set(rules.filter(({ action }) => action === 'set').map(({ name }) => headerName(name)))
}

const placeOf = ({ type, base_url, ...config }: ChannelValues) => ({ type, base_url, config })
