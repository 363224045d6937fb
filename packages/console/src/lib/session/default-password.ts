import { useSyncExternalStore } from 'react'
import { inTab } from '../browser/storage.ts'

const listeners = new Set<() => void>()

const read = () => {
  const value = inTab.read('default_password')
  return value === null ? undefined : value === 'true'
}

/** The cause of the toast about it, which goes when the password has been changed. */
export const DEFAULT_PASSWORD = 'default-password'

/** Whether the signed-in account still has the initial password; undefined until this tab knows. */
export const defaultPassword = {
  use: () => useSyncExternalStore(subscribe, read),
  remember: (isDefault: boolean) => {
    inTab.write('default_password', String(isDefault))
    for (const listener of listeners) listener()
  },
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
