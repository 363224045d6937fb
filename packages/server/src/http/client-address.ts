import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Network } from '../common/config.ts'

/**
 * The client's address: the socket's. Behind trusted proxies the header is read from the right, and the first address that is
 * not a trusted proxy is the client. What a client writes into the header itself is further left and never trusted.
 */
export const clientAddress = (socketAddress: string, forwardedFor: string | null, trusted: readonly Network[]) => {
  // The common case: a plain address and no proxies.
  if (trusted.length === 0 && PLAIN.test(socketAddress)) return socketAddress
  const socket = parsed(socketAddress)
  if (socket === undefined) return socketAddress
  if (forwardedFor === null || !isTrusted(socket, trusted)) return socket.toString()
  for (const hop of forwardedFor.split(',').reverse()) {
    const address = parsed(hop.trim())
    if (address === undefined) return socket.toString()
    if (!isTrusted(address, trusted)) return address.toString()
  }
  return socket.toString()
}

const PLAIN = /^\d{1,3}(\.\d{1,3}){3}$/

/** The key of rate limits: an address, or for IPv6 the /64 of one customer. */
export const limitKey = (address: string) => {
  const ip = parsed(address)
  if (ip === undefined || ip.kind() === 'ipv4') return address
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toString()}/64`).toString()}/64`
}

/** Whether the peer is a proxy whose headers we trust. */
export const isTrustedAddress = (address: string, trusted: readonly Network[]) => {
  const ip = parsed(address)
  return ip !== undefined && isTrusted(ip, trusted)
}

function parsed(text: string) {
  // `process` maps IPv4-in-IPv6 addresses back to IPv4. By itself it would also parse `7` as 0.0.0.7.
  return isIP(text) === 0 ? undefined : ipaddr.process(text)
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]) {
  return networks.some(([network, bits]) => {
    if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits)
    return network instanceof ipaddr.IPv6 && address.match(network, bits)
  })
}
