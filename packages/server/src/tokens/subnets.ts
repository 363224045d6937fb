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

/** A list that is not empty, and valid. */
export const isSubnetList = (text: string) => {
  const entries = commaList(text)
  return entries.length > 0 && entries.every((entry) => ipaddr.isValidCIDR(entry))
}

/** Whether an address is in one of the ranges. */
export const isWithin = (ip: string, subnets: string) => {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return commaList(subnets).some((entry) => {
    const [network, bits] = ipaddr.parseCIDR(entry)
    return address.kind() === network.kind() && address.match(network, bits)
  })
}
