import { isAdmin, SessionUser } from '@tollgate/contract'
import { useSyncExternalStore } from 'react'
import { stored } from '../browser/storage.ts'

/** What the browser stores about the signed-in user. The session itself is a cookie that no script can read. */
const StoredUser = SessionUser.pick({ id: true, username: true, display_name: true, role: true, status: true })

export interface StoredUser {
  id: number
  username: string
  display_name: string
  role: number
  status: number
}

const listeners = new Set<() => void>()
const otherUser = new Set<(user: StoredUser | undefined) => void>()
let current = restore()

export const sessionUser = () => current

export function rememberUser(user: StoredUser) {
  current = StoredUser.parse(user)
  stored.write('user', JSON.stringify(current))
  for (const listener of listeners) listener()
}

export function forgetUser() {
  current = undefined
  stored.remove('user')
  for (const listener of listeners) listener()
}

/** Another tab has signed this user out, or another one in. */
export const onOtherUser = (tell: (user: StoredUser | undefined) => void) => void otherUser.add(tell)

export const useSessionUser = () => useSyncExternalStore(subscribe, sessionUser)

export const useIsAdmin = () => {
  const user = useSessionUser()
  return user !== undefined && isAdmin(user.role)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function restore() {
  const { success, data } = StoredUser.safeParse(stored.readJson('user'))
  return success ? data : undefined
}

// Signing in or out in one tab is visible to the others.
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key !== 'user' && key !== null) return
  const before = current?.id
  current = restore()
  for (const listener of listeners) listener()
  if (before !== undefined && current?.id !== before) for (const tell of otherUser) tell(current)
})
