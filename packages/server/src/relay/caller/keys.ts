import {
  commaList,
  groupsOf,
  isAdmin,
  type RateLimits,
  type RecordingSettings,
  TokenStatus,
  UserStatus,
} from '@tollgate/contract'
import { type Clock, seconds } from '../../common/clock.ts'
import { GatewayError } from '../../common/errors.ts'
import type { Changes } from '../../database/changes.ts'
import { keyLimits, storedRateLimits } from '../../limits/stored-rate-limits.ts'
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

/** When something was known to be true. */
interface AsOf {
  at: number
  /** How often keys may have been changed here before that. */
  doubts: number
}

interface Entry extends AsOf {
  known: Known | undefined
}

interface Needs {
  tokens: Pick<TokensService, 'factsByHash'>
  changes: Pick<Changes, 'catchUp'>
  clock: Clock
  /** Called for every accepted key, with the address of the caller. */
  onUse(tokenId: number, ip: string): void
}

/**
 * Resolves the key of a request to its caller. What was read stays true until a change is announced, and one question a second for all
 * keys makes sure that every change has been. So most calls need no query, however rarely each key is used.
 */
export const createKeys = ({ tokens, changes, clock, onUse }: Needs) => {
  let entries = new Map<string, Entry>()
  let reading = new Map<string, Promise<Known | undefined>>()
  let doubts = 0
  /** Every entry was true then, or was read later. */
  let confirmed: AsOf = { at: Number.NEGATIVE_INFINITY, doubts }
  let isConfirming = false

  const now = (): AsOf => ({ at: clock.now(), doubts })
  const ageOf = (asOf: AsOf) => (asOf.doubts === doubts ? Math.abs(clock.now() - asOf.at) : Number.POSITIVE_INFINITY)

  const read = (hash: string) => {
    // The current maps: if they are dropped meanwhile, what is read may be outdated.
    const [into, shared] = [entries, reading]
    const started = shared.get(hash)
    if (started !== undefined) return started
    const asOf = now()
    const found = tokens
      .factsByHash(hash)
      .then((facts) => {
        const known = facts && { facts, caller: callerOf(facts) }
        into.delete(hash)
        into.set(hash, { known, ...asOf })
        if (into.size > KNOWN_MAX) into.delete(into.keys().next().value ?? '')
        return known
      })
      .finally(() => shared.delete(hash))
    shared.set(hash, found)
    return found
  }

  const confirm = async () => {
    if (isConfirming) return
    isConfirming = true
    const asOf = now()
    // If nobody can tell, each key is read anew.
    if (await changes.catchUp().catch(() => false)) confirmed = asOf
    isConfirming = false
  }

  const knownOf = (key: string) => {
    const hash = lookupHash(key)
    const entry = entries.get(hash)
    if (entry === undefined) return read(hash)
    const isTold = entry.known !== undefined && isUsable(entry.known.facts, seconds(clock))
    const age = isTold ? Math.min(ageOf(entry), ageOf(confirmed)) : ageOf(entry)
    // In good time, so that no call has to wait for it.
    if (isTold && age >= REFRESH_MS) void confirm()
    return age < FRESH_MS ? entry.known : read(hash)
  }

  return {
    /** A key or an owner was changed, here or elsewhere. */
    forget() {
      entries = new Map()
      reading = new Map()
    },

    /** A key or an owner may have been changed here. */
    doubt() {
      doubts++
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

function limitsOf({ user_rate_limits, ...facts }: KeyFacts) {
  if (facts.rate_limits === '' && facts.admin_rate_limits === '' && user_rate_limits === '') return undefined
  return { key: keyLimits(facts), user: storedRateLimits(user_rate_limits) }
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
  const token = authorization?.replace(/^Bearer(\s+|$)/i, '').trim() ?? ''
  // A library whose token is set to nothing sends an empty one beside the key.
  if (token !== '') return token
  return (
    headers.get('x-api-key') ??
    headers.get('x-goog-api-key') ??
    headers.get('mj-api-secret') ??
    URL.parse(url)?.searchParams.get('key') ??
    undefined
  )
}

/** New keys and balances are not announced: a key that cannot be used now is read again after a second. */
function isUsable(facts: KeyFacts, now: number) {
  return currentStatus(facts, now) === TokenStatus.enabled
}

function refuseUnusable(facts: KeyFacts, now: number) {
  if (facts.blocked_by !== 0) throw new GatewayError('relay.key_blocked', { reason: facts.blocked_reason })
  const status = currentStatus(facts, now)
  if (status === TokenStatus.expired) throw new GatewayError('relay.key_expired')
  if (status === TokenStatus.exhausted) throw new GatewayError('relay.key_exhausted')
  if (status !== TokenStatus.enabled) throw new GatewayError('relay.key_disabled')
}
