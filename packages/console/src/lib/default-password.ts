import { useSyncExternalStore } from 'react'
import { inTab } from './storage.ts'

const listeners = new Set<() => void>()

const read = () => {
  const value = inTab.read('default_password')
  return value === null ? undefined : value === 'true'
}

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
