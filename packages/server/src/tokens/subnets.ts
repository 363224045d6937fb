import { commaList } from '@tollgate/contract'
import ipaddr from 'ipaddr.js'
import { GatewayError } from '../common/errors.ts'

/** Normalises the CIDR ranges of a comma list; throws for the first invalid one. */
export const cleanSubnets = (text: string) => {
  const entries = commaList(text)
  const bad = entries.find((entry) => !ipaddr.isValidCIDR(entry))
  if (bad !== undefined) throw new GatewayError('token.bad_subnet', { entry: bad.slice(0, 64) })
  return entries.join(',')
}
