import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { GatewayError } from '../common/errors.ts'
import { type AddressPolicy, isAllowed, isForbiddenName, withoutFinalDot } from './addresses.ts'

/** All addresses of a name. The operating system's resolver unless a test replaces it. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Never empty, and each one allowed by the policy. Synchronous while the cached answer is fresh. */
export type CheckedHosts = (host: string, policy: AddressPolicy) => Addresses | Promise<Addresses>

type Addresses = readonly string[]

const ANSWER_KEPT_MS = 5_000
const ANSWERS_MAX = 1_000

/**
 * Resolves a host to the addresses we may connect to. Connections must use these addresses and not the name: a second look-up is
 * how a name that was public a moment ago becomes 169.254.169.254.
 */
export function createCheckedHosts({ resolve = systemResolve, now = Date.now }: HostNeeds = {}): CheckedHosts {
  const answers = new Map<string, { addresses: Addresses | Promise<Addresses>; until: number }>()

  return (host, policy) => {
    const key = `${policy} ${host}`
    const kept = answers.get(key)
    if (kept !== undefined && kept.until > now()) return kept.addresses

    const addresses = check(host, policy, resolve)
    const fresh: { addresses: Addresses | Promise<Addresses>; until: number } = {
      addresses,
      until: now() + ANSWER_KEPT_MS,
    }
    answers.delete(key) // so that the new answer is the youngest
    answers.set(key, fresh)
    addresses.then(
      (list) => {
        fresh.addresses = list
      },
      () => answers.delete(key),
    )
    forgetOldest(answers)
    return addresses
  }
}

interface HostNeeds {
  resolve?: Resolve
  now?: () => number
}

async function check(host: string, policy: AddressPolicy, resolve: Resolve) {
  const name = withoutFinalDot(host)
  if (name === '' || isForbiddenName(name)) throw refused(`"${name}" may not be contacted`)
  const addresses = isIP(name) === 0 ? await ask(name, resolve) : [name]
  if (addresses.length === 0) throw refused(`${name} has no address`)
  // One forbidden address refuses the host: half of an attacker's answers are usually good.
  if (!addresses.every((address) => isAllowed(address, policy))) throw refused(`${name} leads to a closed address`)
  return addresses.toSorted(ipv4First)
}

async function ask(name: string, resolve: Resolve) {
  try {
    return await resolve(name)
  } catch {
    throw new GatewayError('outbound.failed', {}, { cause: new Error(`${name} cannot be resolved`) })
  }
}

const refused = (reason: string) => new GatewayError('outbound.refused_address', {}, { cause: new Error(reason) })

/** A machine without IPv6 still gets IPv6 answers; the family that works everywhere is tried first. */
const ipv4First = (one: string, other: string) => isIP(one) - isIP(other)

function forgetOldest(answers: Map<string, unknown>) {
  for (const oldest of answers.keys()) {
    if (answers.size <= ANSWERS_MAX) return
    answers.delete(oldest)
  }
}

async function systemResolve(name: string) {
  const answers = await lookup(name, { all: true })
  return answers.map((answer) => answer.address)
}
