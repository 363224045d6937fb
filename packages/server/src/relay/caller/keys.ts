import {
  commaList,
  isAdmin,
  type RateLimits,
  type RecordingSettings,
  TokenStatus,
  UserStatus,
} from '@tollgate/contract'
import { type Clock, seconds } from '../../common/clock.ts'
import { GatewayError } from '../../common/errors.ts'
import { storedRateLimits } from '../../limits/stored-rate-limits.ts'
import { storedRecordingSettings } from '../../recordings/stored-settings.ts'
import { lookupHash } from '../../security/random.ts'
import { isWithin } from '../../tokens/subnets.ts'
import { currentStatus } from '../../tokens/token-status.ts'
import type { KeyFacts, TokensService } from '../../tokens/tokens-service.ts'

/** A caller of the relay, and what the key allows. */
export interface RelayCaller {
  tokenId: number
  tokenName: string
  userId: number
  username: string
  groups: readonly string[]
  /** Undefined when every model is allowed. */
  models: ReadonlySet<string> | undefined
  /** Undefined when neither key nor user has any. */
  limits: { key: RateLimits; user: RateLimits } | undefined
  /** Whether a fallback model may answer when the requested one cannot. */
  fallback: boolean
  /** Which of its calls are recorded; undefined for none. */
  recording: RecordingSettings | undefined
  /** The channel requested by an administrator. */
  pinned: number | undefined
}

export type Keys = ReturnType<typeof createKeys>

/** The maximum delay until a change of a key or its owner applies on every node. */
const FRESH_MS = 1000
const REFRESH_MS = 800
const KNOWN_MAX = 50_000

interface Asking {
  readonly ip: string
  /** Set as soon as the key is known, so that an error can be logged for its owner. */
  caller: RelayCaller | undefined
}

interface Known {
  facts: KeyFacts
  caller: RelayCaller
}

interface Needs {
  tokens: Pick<TokensService, 'factsByHash'>
  clock: Clock
  /** Called for every accepted key, with the address of the caller. */
  onUse(tokenId: number, ip: string): void
}

/** Resolves the key of a request to its caller. Cached for a second, so most calls need no query. */
export const createKeys = ({ tokens, clock, onUse }: Needs) => {
  let entries = new Map<string, { known: Known | undefined; readAt: number }>()
  let reading = new Map<string, Promise<Known | undefined>>()

  const read = (hash: string, readAt: number) => {
    // The current maps: if they are dropped meanwhile, what is read may be outdated.
    const [into, shared] = [entries, reading]
    const started = shared.get(hash)
    if (started !== undefined) return started
    const found = tokens
      .factsByHash(hash)
      .then((facts) => {
        const known = facts && { facts, caller: callerOf(facts) }
        into.delete(hash)
        into.set(hash, { known, readAt })
        if (into.size > KNOWN_MAX) into.delete(into.keys().next().value ?? '')
        return known
      })
      .finally(() => shared.delete(hash))
    shared.set(hash, found)
    return found
  }

  const knownOf = (key: string) => {
    const hash = lookupHash(key)
    const now = clock.now()
    const entry = entries.get(hash)
    const age = entry === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - entry.readAt)
    if (entry === undefined || age >= FRESH_MS) return read(hash, now)
    // A key in steady use is read again before anybody has to wait for it. If that fails, the next call will hear of it.
    if (age >= REFRESH_MS) read(hash, now).catch(() => {})
    return entry.known
  }

  return {
    /** A key or an owner was changed, here or elsewhere. */
    forget() {
      entries = new Map()
      reading = new Map()
    },

    async authenticate(presented: string | undefined, from: Asking): Promise<RelayCaller> {
      if (presented === undefined || presented === '') throw new GatewayError('relay.no_key')
      const { key, channel } = keyParts(presented)
      const found = knownOf(key)
      const known = found instanceof Promise ? await found : found
      if (known === undefined) throw new GatewayError('relay.bad_key')
      const { facts, caller } = known
      from.caller = caller
      refuseUnusable(facts, seconds(clock))
      if (facts.subnet !== '' && !isWithin(from.ip, facts.subnet)) throw new GatewayError('relay.wrong_address')
      if (facts.user_status !== UserStatus.enabled) throw new GatewayError('relay.user_disabled')
      onUse(caller.tokenId, from.ip)
      if (channel === undefined) return caller
      if (!isAdmin(facts.role)) throw new GatewayError('relay.pin_refused')
      return { ...caller, pinned: Number(channel) }
    },
  }
}

function callerOf(facts: KeyFacts): RelayCaller {
  return {
    tokenId: facts.id,
    tokenName: facts.name,
    userId: facts.user_id,
    username: facts.username,
    groups: groupsOf(facts.group),
    models: facts.models === '' ? undefined : new Set(commaList(facts.models)),
    limits: limitsOf(facts),
    fallback: facts.fallback === 1,
    recording: storedRecordingSettings(facts.recording) ?? undefined,
    pinned: undefined,
  }
}

function limitsOf({ rate_limits, user_rate_limits }: KeyFacts) {
  if (rate_limits === '' && user_rate_limits === '') return undefined
  return { key: storedRateLimits(rate_limits), user: storedRateLimits(user_rate_limits) }
}

/** The key itself, and the channel that an administrator may append. */
export const keyParts = (presented: string) => {
  const [key = '', channel] = (presented.startsWith('sk-') ? presented.slice(3) : presented).split('-', 2)
  return { key, channel }
}

/** Where the clients of the different vendors put their key. */
export const presentedKey = ({ headers, url }: Request) => {
  const authorization = headers.get('authorization')
  if (authorization?.startsWith('Bearer sk-')) return authorization.slice(7).trimEnd()
  if (authorization !== null) return authorization.replace(/^Bearer(\s+|$)/i, '').trim()
  return (
    headers.get('x-api-key') ??
    headers.get('x-goog-api-key') ??
    headers.get('mj-api-secret') ??
    URL.parse(url)?.searchParams.get('key') ??
    undefined
  )
}

function refuseUnusable(facts: KeyFacts, now: number) {
  if (facts.blocked_by !== 0) throw new GatewayError('relay.key_blocked', { reason: facts.blocked_reason })
  const status = currentStatus(facts, now)
  if (status === TokenStatus.expired) throw new GatewayError('relay.key_expired')
  if (status === TokenStatus.exhausted) throw new GatewayError('relay.key_exhausted')
  if (status !== TokenStatus.enabled) throw new GatewayError('relay.key_disabled')
}

function groupsOf(text: string) {
  const groups = commaList(text)
  return groups.length === 0 ? ['default'] : groups
}
