import { randomHex } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'

export type KnownDevices = ReturnType<typeof createKnownDevices>

/**
 * Marks a browser that has signed in to an account: a random name, encrypted for that account. It grants no access; it only keeps
 * strangers' guesses from counting against the owner.
 */
export const createKnownDevices = (vault: Vault) => {
  /** The device's name, if the cookie is ours and of this account. */
  const nameOf = (userId: number, cookie: string | undefined) => {
    if (cookie === undefined) return undefined
    try {
      return vault.open(cookie, contextOf(userId))
    } catch {
      // Made up, of another account, or encrypted with a lost key: treated as an unknown browser.
      return undefined
    }
  }

  return {
    nameOf,
    /** The cookie for the browser: its current one if valid, so that its guesses keep counting. */
    cookieFor: (userId: number, cookie: string | undefined) =>
      cookie !== undefined && nameOf(userId, cookie) !== undefined
        ? cookie
        : vault.seal(randomHex(16), contextOf(userId)),
  }
}

function contextOf(userId: number) {
  return `device:${userId}`
}
