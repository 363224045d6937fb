import { type Access, failureOf, type Token, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Clock } from '../clock.ts'
import type { Http } from './http.ts'
import { createMask } from './mask.ts'

export type Credentials = ReturnType<typeof createCredentials>

/** A token is replaced this long before it expires, so that a call never carries one that is about to. */
const EARLY_MS = 60_000
const TIMEOUT_MS = 10_000

interface Kept {
  /** The key it was made from: a new key needs a new token. */
  key: string
  token: Promise<string>
  until: number
}

/** Short-lived tokens of the vendors that want one, kept per channel. Two calls at once ask for one token. */
export const createCredentials = ({ http, clock }: { http: Http; clock: Clock }) => {
  const kept = new Map<number, Kept>()

  const obtain = async ({ provider, access }: Route): Promise<Token> => {
    if (provider?.mint !== undefined) return provider.mint(access, clock.now())
    if (provider?.exchange === undefined) return { token: access.key, expiresInSec: 0 }
    const request = await provider.exchange.request(access, clock.now())
    const { url, method, headers, body } = request
    const mask = createMask(access, request)
    const answer = await http.text(url, {
      policy: 'admin',
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      timeoutMs: TIMEOUT_MS,
    })
    try {
      if (answer.status < 400) return provider.exchange.read(JSON.parse(answer.text))
      throw new VendorError(provider.explain(answer.status, mask.text(answer.text), new Headers()))
    } catch (error) {
      throw mask.error(error)
    }
  }

  const withToken = async (route: Route): Promise<Access> => {
    const { access, id } = route
    const known = kept.get(id)
    if (known !== undefined && known.key === access.key && clock.now() < known.until) {
      return { ...access, key: await known.token }
    }
    const entry: Kept = { key: access.key, token: Promise.resolve(''), until: clock.now() + TIMEOUT_MS }
    entry.token = obtain(route).then(({ token, expiresInSec }) => {
      entry.until = clock.now() + expiresInSec * 1000 - EARLY_MS
      return token
    })
    kept.set(id, entry)
    try {
      return { ...access, key: await entry.token }
    } catch (error) {
      kept.delete(id)
      if (error instanceof VendorError) throw error
      throw new VendorError(failureOf('auth', 'The vendor gave no token for the key'))
    }
  }

  return {
    /** At once where the key itself is the credential. */
    accessOf(route: Route): Access | Promise<Access> {
      const { provider, access } = route
      return provider?.mint === undefined && provider?.exchange === undefined ? access : withToken(route)
    },

    /** The vendor did not accept it: the next call asks for a new one. */
    drop: (channel: number) => kept.delete(channel),
  }
}
