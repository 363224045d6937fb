import { type Access, failureOf, jsonOrUndefined, type Token, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Clock } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Http } from './http.ts'
import { createMask } from './mask.ts'
import { vendorRefusal } from './vendor-refusal.ts'

export type Credentials = ReturnType<typeof createCredentials>

/** A token is replaced this long before it expires, so that a call never carries one that is about to. */
const EARLY_MS = 60_000
const TIMEOUT_MS = 10_000

interface Kept {
  /** What it was made from: a new key needs a new token. */
  access: Access
  token: Promise<string>
  until: number
}

/**
 * Short-lived tokens of vendors that use them, cached per channel, or per key of its pool. Concurrent calls share one request, and a
 * token that the vendor refuses is replaced.
 */
export const createCredentials = ({ http, clock }: { http: Http; clock: Clock }) => {
  const kept = new Map<Holder, Kept>()
  /** How often a channel's fresh token was refused too: then outer callers need not retry. */
  const refusedFreshTokens = new Map<Holder, number>()

  const exchanged = async ({ provider, access, network }: Route): Promise<Token> => {
    if (provider?.exchange === undefined) return { token: access.key, expiresInSec: 0 }
    const request = await provider.exchange.request(access, clock.now())
    const { url, method, headers, body } = request
    const mask = createMask(access, request)
    const answer = await http.text(url, {
      policy: 'admin',
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...network,
      timeoutMs: TIMEOUT_MS,
    })
    try {
      if (answer.status < 400) return provider.exchange.read(jsonOrUndefined(answer.text))
      throw vendorRefusal(provider, { ...answer, body: mask.text(answer.text) }, clock.now())
    } catch (error) {
      throw mask.error(error)
    }
  }

  const obtain = (route: Route): Kept => {
    const entry: Kept = { access: route.access, token: Promise.resolve(''), until: Number.POSITIVE_INFINITY }
    const { mint } = route.provider ?? {}
    const obtained = mint === undefined ? exchanged(route) : mint(route.access, clock.now())
    entry.token = obtained.then(
      ({ token, expiresInSec }) => {
        entry.until = clock.now() + expiresInSec * 1000 - EARLY_MS
        return token
      },
      (error) => {
        forget(holderOf(route), entry)
        throw asVendorError(error)
      },
    )
    kept.set(holderOf(route), entry)
    return entry
  }

  const known = (route: Route) => {
    const entry = kept.get(holderOf(route))
    return entry !== undefined && isSame(entry.access, route.access) && clock.now() < entry.until ? entry : undefined
  }

  const forget = (holder: Holder, entry: Kept) => {
    if (kept.get(holder) === entry) kept.delete(holder)
  }

  const withToken = async <T>(route: Route, call: (access: Access) => Promise<T>): Promise<T> => {
    const refusedBefore = refusedFreshTokens.get(holderOf(route)) ?? 0
    for (let isRenewed = false; ; isRenewed = true) {
      const before = known(route)
      const entry = before ?? obtain(route)
      try {
        return await call({ ...route.access, key: await entry.token })
      } catch (error) {
        if (!isRefusedKey(error)) throw error
        forget(holderOf(route), entry)
        // A token made for this very call is as good as the key: then it is the key that is refused.
        const refusedNow = refusedFreshTokens.get(holderOf(route)) ?? 0
        if (refusedNow !== refusedBefore) throw error
        if (isRenewed || before === undefined) {
          refusedFreshTokens.set(holderOf(route), refusedNow + 1)
          throw error
        }
      }
    }
  }

  return {
    /**
     * Calls a vendor with the channel's access. If the vendor uses tokens and refuses the cached one, the call is made once more with a
     * fresh one. This is the only way to a channel's access.
     */
    withAccess: <T>(route: Route, call: (access: Access) => Promise<T>): Promise<T> =>
      route.provider?.mint === undefined && route.provider?.exchange === undefined
        ? call(route.access)
        : withToken(route, call),

    /** The channel was removed or changed. */
    drop(channel: number) {
      kept.delete(channel)
      refusedFreshTokens.delete(channel)
    },
  }
}

/** A channel, or a key of its pool. */
type Holder = number | string

const holderOf = ({ id, poolKey }: Route): Holder => (poolKey === undefined ? id : `key ${poolKey.id}`)

const isSame = (one: Access, other: Access) =>
  one.key === other.key && one.baseUrl === other.baseUrl && one.config.vertex_ai_adc === other.config.vertex_ai_adc

const isRefusedKey = (error: unknown) => error instanceof VendorError && error.failure.class === 'auth'

/** The network or the vendor may have failed: that says nothing about the key. */
function asVendorError(error: unknown) {
  if (error instanceof VendorError || error instanceof GatewayError) return error
  return new VendorError(failureOf('server', 'The vendor gave no token for the key', { status: 502 }))
}
