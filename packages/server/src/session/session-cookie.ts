import { cookieHeader, readCookie } from '../http/cookies.ts'
import type { Caller, Incoming } from '../http/serve.ts'
import type { StoredUser } from '../users/accounts-service.ts'
import { SESSION_MAX_SEC, type SessionsService } from './sessions-service.ts'

const NAME = 'session'

export const sessionCookie = (headers: Headers, secure: boolean) => readCookie(headers, NAME, secure)

/** Signs a user in: a fresh session, its cookie on the answer, and what the browser may know of the user. */
export const signIn = async (caller: Caller, sessions: SessionsService, user: StoredUser) => {
  const old = sessionCookie(caller.cookieHeaders, caller.secure)
  if (old !== undefined) await sessions.close(old)
  setCookie(caller, await sessions.open(user, caller), SESSION_MAX_SEC)
  const { id, username, display_name, role, status } = user
  return { id, username, display_name, role, status, default_password: user.password_default === 1 }
}

export const signOut = async (caller: Caller, sessions: SessionsService) => {
  const cookie = sessionCookie(caller.cookieHeaders, caller.secure)
  if (cookie !== undefined) await sessions.close(cookie)
  setCookie(caller, '', 0)
}

function setCookie(caller: Incoming, value: string, maxAgeSec: number) {
  const { secure, crossSite } = caller
  caller.answerHeaders.append('set-cookie', cookieHeader(NAME, value, { maxAgeSec, secure, crossSite }))
}
