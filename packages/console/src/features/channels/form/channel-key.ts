import { type Channel, headerName, isSamePlace } from '@tollgate/contract'
import { type ChannelValues, configOf, toValues } from './channel-values.ts'

/** A stored key is bound to the vendor, host and account it was given for; elsewhere it has to be typed again. */
export const mustRetype = (values: ChannelValues, stored: Channel) =>
  !isSamePlace(placeOf(values), placeOf(toValues(stored)))

/** The headers of which the server keeps the value; of a channel that now points elsewhere, none. */
export const keptHeaders = (stored: Channel | undefined, retype: boolean): ReadonlySet<string> => {
  const rules = stored === undefined || retype ? [] : (configOf(stored).header_rules ?? [])
  return new Set(rules.filter(({ action }) => action === 'set').map(({ name }) => headerName(name)))
}

const placeOf = ({ type, base_url, ...config }: ChannelValues) => ({ type, base_url, config })
