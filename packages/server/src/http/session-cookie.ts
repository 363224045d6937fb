import type { KnownDevices } from '../session/known-devices.ts'
import { SESSION_MAX_SEC, type SessionsService } from '../session/sessions-service.ts'
import type { StoredUser } from '../users/accounts-service.ts'
import { cookieHeader, readCookie } from './cookies.ts'
import type { Caller, Incoming } from './serve.ts'

const NAME = 'session'

/** The maximum lifetime of a cookie in browsers. */
const DEVICE_MAX_SEC = 400 * 24 * 3600

export const sessionCookie = (headers: Headers, secure: boolean) => readCookie(headers, NAME, secure)

/** Proves that the browser signed in to this account before. One cookie per account: people have several. */
export const deviceCookie = ({ cookieHeaders, secure }: Caller, userId: number) =>
  readCookie(cookieHeaders, deviceName(userId), secure)

interface Needs {
  sessions: SessionsService
  devices: KnownDevices
}

/** Signs a user in: a new session, its cookie on the answer, and the public part of the user. */
export const signIn = async (caller: Caller, { sessions, devices }: Needs, user: StoredUser) => {
  const old = sessionCookie(caller.cookieHeaders, caller.secure)
  if (old !== undefined) await sessions.close(old)
  setCookie(caller, NAME, await sessions.open(user, caller), SESSION_MAX_SEC)
  const device = devices.cookieFor(user.id, deviceCookie(caller, user.id))
  setCookie(caller, deviceName(user.id), device, DEVICE_MAX_SEC)
  const { id, username, display_name, role, status } = user
  return { id, username, display_name, role, status, default_password: user.password_default === 1 }
}

export const signOut = async (caller: Caller, sessions: SessionsService) => {
  const cookie = sessionCookie(caller.cookieHeaders, caller.secure)
  if (cookie !== undefined) await sessions.close(cookie)
  setCookie(caller, NAME, '', 0)
}

function deviceName(userId: number) {
  return `device_${userId}`
}

function setCookie(caller: Incoming, name: string, value: string, maxAgeSec: number) {
  const { secure, crossSite } = caller
  caller.answerHeaders.append('set-cookie', cookieHeader(name, value, { maxAgeSec, secure, crossSite }))
}
