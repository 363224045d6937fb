import { randomHex } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'

export type KnownDevices = ReturnType<typeof createKnownDevices>

/**
 * Remembers in the browser itself that it has signed in to an account: a random name, sealed for that account. It opens
 * nothing; it only keeps the guesses of strangers from counting against the owner.
 */
export const createKnownDevices = (vault: Vault) => {
  /** The device's name, if the cookie is ours and of this account. */
  const nameOf = (userId: number, cookie: string | undefined) => {
    if (cookie === undefined) return undefined
    try {
      return vault.open(cookie, contextOf(userId))
    } catch {
      // Made up, of another account, or sealed with a key that is gone: a browser like any other.
      return undefined
    }
  }

  return {
    nameOf,
    /** The cookie to leave in the browser: the one it has, where that is good, so that its guesses go on counting. */
    cookieFor: (userId: number, cookie: string | undefined) =>
      cookie !== undefined && nameOf(userId, cookie) !== undefined
        ? cookie
        : vault.seal(randomHex(16), contextOf(userId)),
  }
}

function contextOf(userId: number) {
  return `device:${userId}`
}
