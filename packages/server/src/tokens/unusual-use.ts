import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { DAY, HOUR } from '../common/time-units.ts'

/** An hour is unusual with more than this many times the usual calls, and a minimum number. */
const TIMES_USUAL = 5
const CALLS_MIN = 30

export interface UsedAddress {
  address: string
  first_at: number
  last_at: number
}

/** Calls by hour, which starts at `start`. */
export interface CallsOfHour {
  start: number
  calls: number
}

/** Networks new to the key within the last day, and since when there is one. */
export interface NewNetworks {
  networks: string[]
  since: number
}

/**
 * A key without an older address has no history to compare with, and one with more addresses than are stored is used from
 * everywhere: neither is marked.
 */
export const newNetworks = (
  addresses: readonly UsedAddress[],
  { now, addressesMax }: { now: number; addressesMax: number },
): NewNetworks | undefined => {
  if (addresses.length >= addressesMax) return undefined
  const firstOf = new Map<string, number>()
  for (const { address, first_at } of addresses) {
    const network = networkOf(address)
    firstOf.set(network, Math.min(first_at, firstOf.get(network) ?? first_at))
  }
  const fresh = [...firstOf].filter(([, firstAt]) => firstAt > now - DAY)
  if (fresh.length === 0 || fresh.length === firstOf.size) return undefined
  return { networks: fresh.map(([network]) => network), since: Math.min(...fresh.map(([, firstAt]) => firstAt)) }
}

/** The busiest hour since the new networks, if far above the average hour of use before them. */
export const surge = (hours: readonly CallsOfHour[], since: number) => {
  const begin = since - (since % HOUR)
  const before = hours.filter(({ start, calls }) => start < begin && calls > 0)
  if (before.length === 0) return undefined
  const usual = before.reduce((sum, { calls }) => sum + calls, 0) / before.length
  const calls = Math.max(0, ...hours.filter(({ start }) => start >= begin).map((hour) => hour.calls))
  return calls >= CALLS_MIN && calls > TIMES_USUAL * usual ? { calls, usual } : undefined
}

/** The network of an address: /24 for IPv4, /48 for IPv6. */
export const networkOf = (address: string) => {
  if (isIP(address) === 0) return address
  const ip = ipaddr.process(address)
  return ip.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${ip.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toString()}/48`).toString()}/48`
}
