import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The class of an address. `forbidden` is never contacted, at anyone's request. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden'

/** `admin`: set by an administrator (Ollama and self-hosted servers are private). `user`: supplied by a caller. */
export type AddressPolicy = 'admin' | 'user'

const ALLOWED: Record<AddressPolicy, readonly AddressKind[]> = {
  admin: ['public', 'private', 'loopback'],
  user: ['public'],
}

/** Whether the policy allows connections to this IP address. Anything that is not an address is refused. */
export const isAllowed = (address: string, policy: AddressPolicy) => ALLOWED[policy].includes(classify(address))

export function classify(address: string): AddressKind {
  const bare = address.replace(/%.*$/, '') // fe80::1%eth0
  switch (isIP(bare)) {
    case 4:
      return classify4(ipaddr.IPv4.parse(bare))
    case 6:
      return classify6(ipaddr.IPv6.parse(hexadecimal(bare)))
    default:
      return 'forbidden'
  }
}

/** Cloud metadata names are refused before the resolver is used, since a cloud's resolver may answer anything. */
export const isForbiddenName = (name: string) => METADATA_NAMES.has(withoutFinalDot(name.toLowerCase()))

/** `example.com.` and `example.com` are one name; certificates only have the latter. */
export const withoutFinalDot = (name: string) => name.replace(/\.$/, '')

const METADATA_NAMES = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal'])

/** Metadata services outside of link-local. Some are in ranges that are otherwise private or public. */
const METADATA_ADDRESSES = [
  '100.100.100.200/32', // Alibaba Cloud
  '192.0.0.192/32', // Oracle Cloud
  '168.63.129.16/32', // Azure's host
  'fd00:ec2::/32', // Amazon
  'fd20:ce::254/128', // Google
  'fd00:42::42/128', // Scaleway
].map((range) => ipaddr.parseCIDR(range))

/** Only 2000::/3 is allocated to the public internet; everything else is special. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
const NAT64_LOCAL = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48')
const BENCHMARKING = ipaddr.IPv4.parseCIDR('198.18.0.0/15')

function classify4(address: ipaddr.IPv4): AddressKind {
  if (isMetadata(address)) return 'forbidden'
  // Transparent proxies use 198.18.0.0/15 for every name they carry, so administrators do see it.
  if (address.match(BENCHMARKING)) return 'private'
  switch (address.range()) {
    case 'unicast':
      return 'public'
    case 'private':
    case 'carrierGradeNat':
      return 'private'
    case 'loopback':
      return 'loopback'
    default:
      return 'forbidden' // 0.0.0.0/8, link-local, multicast, broadcast, documentation and reserved ranges
  }
}

function classify6(address: ipaddr.IPv6): AddressKind {
  if (isMetadata(address) || address.match(NAT64_LOCAL)) return 'forbidden'
  const embedded = embeddedIpv4(address)
  if (embedded !== undefined) return classify4(embedded)
  switch (address.range()) {
    case 'unicast':
      return address.match(GLOBAL_UNICAST) ? 'public' : 'forbidden' // ::127.0.0.1 counts as "unicast"
    case 'uniqueLocal':
      return 'private'
    case 'loopback':
      return 'loopback'
    default:
      return 'forbidden'
  }
}

/** An IPv6 address that is translated or tunnelled to IPv4 is as dangerous as that address. */
function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145': // ::ffff:0:a.b.c.d
    case 'rfc6052': // NAT64, 64:ff9b::a.b.c.d
      return new ipaddr.IPv4(bytes.slice(12))
    case '6to4': // 2002:aabb:ccdd::
      return new ipaddr.IPv4(bytes.slice(2, 6))
    default:
      return undefined
  }
}

/** `::127.0.0.1` becomes `::7f00:1`: the library would parse the former as the mapped `::ffff:127.0.0.1`. */
function hexadecimal(address: string) {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1)
}

function isMetadata(address: ipaddr.IPv4 | ipaddr.IPv6) {
  return METADATA_ADDRESSES.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}
