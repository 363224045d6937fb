import { commaList, isAdmin, NEVER_EXPIRES, TokenStatus, UserStatus } from '@tollgate/contract'
import ipaddr from 'ipaddr.js'
import { type Clock, seconds } from '../clock.ts'
import { GatewayError } from '../errors.ts'
import { lookupHash } from '../security/random.ts'
import type { KeyFacts, TokensService } from '../tokens/tokens-service.ts'

/** Who calls the relay, and what the key allows. */
export interface RelayCaller {
  tokenId: number
  tokenName: string
  userId: number
  username: string
  groups: readonly string[]
  /** Undefined when every model is allowed. */
  models: ReadonlySet<string> | undefined
  /** The channel an administrator asked for. */
  pinned: number | undefined
}

export type Keys = ReturnType<typeof createKeys>

/** A change of a key or its owner counts after this at the latest, on every node. */
const FRESH_MS = 1000
const KNOWN_MAX = 50_000

interface Known {
  facts: KeyFacts | undefined
  readAt: number
}

/** Turns the key of a request into its caller. What is known stays in memory for a second, so most calls ask nobody. */
export const createKeys = ({ tokens, clock }: { tokens: TokensService; clock: Clock }) => {
  const known = new Map<string, Known>()

  const factsOf = async (key: string) => {
    const hash = lookupHash(key)
    const now = clock.now()
    const entry = known.get(hash)
    if (entry !== undefined && Math.abs(now - entry.readAt) < FRESH_MS) return entry.facts
    const facts = await tokens.factsByHash(hash)
    known.delete(hash)
    known.set(hash, { facts, readAt: now })
    if (known.size > KNOWN_MAX) known.delete(known.keys().next().value ?? '')
    return facts
  }

  return {
    async authenticate(presented: string | undefined, ip: string): Promise<RelayCaller> {
      if (presented === undefined || presented === '') throw new GatewayError('relay.no_key')
      const [key = '', channel] = presented.replace(/^sk-/, '').split('-', 2)
      const facts = await factsOf(key)
      if (facts === undefined) throw new GatewayError('relay.bad_key')
      refuseUnusable(facts, seconds(clock))
      if (facts.subnet !== '' && !isWithin(ip, facts.subnet)) throw new GatewayError('relay.wrong_address')
      if (facts.user_status !== UserStatus.enabled) throw new GatewayError('relay.user_disabled')
      if (channel !== undefined && !isAdmin(facts.role)) throw new GatewayError('relay.pin_refused')
      return {
        tokenId: facts.id,
        tokenName: facts.name,
        userId: facts.user_id,
        username: facts.username,
        groups: groupsOf(facts.group),
        models: facts.models === '' ? undefined : new Set(commaList(facts.models)),
        pinned: channel === undefined ? undefined : Number(channel),
      }
    },
  }
}

/** Where the clients of the different vendors put their key. */
export const presentedKey = (request: Request, url: URL) => {
  const { headers } = request
  const authorization = headers.get('authorization')
  if (authorization !== null) return authorization.replace(/^Bearer(\s+|$)/i, '').trim()
  return headers.get('x-api-key') ?? headers.get('x-goog-api-key') ?? url.searchParams.get('key') ?? undefined
}

function refuseUnusable(facts: KeyFacts, now: number) {
  const expired = facts.expired_time !== NEVER_EXPIRES && facts.expired_time <= now
  if (facts.status === TokenStatus.expired || expired) throw new GatewayError('relay.key_expired')
  const empty = facts.unlimited_quota === 0 && facts.remain_quota <= 0
  if (facts.status === TokenStatus.exhausted || empty) throw new GatewayError('relay.key_exhausted')
  if (facts.status !== TokenStatus.enabled) throw new GatewayError('relay.key_disabled')
}

function isWithin(ip: string, subnet: string) {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return commaList(subnet).some((entry) => {
    const [network, bits] = ipaddr.parseCIDR(entry)
    return address.kind() === network.kind() && address.match(network, bits)
  })
}

function groupsOf(text: string) {
  const groups = commaList(text)
  return groups.length === 0 ? ['default'] : groups
}
