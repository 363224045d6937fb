import { useState } from 'react'
import { stored } from './storage.ts'

/** Whose calls the overview shows: those of everybody, or one's own. */
export type HomeScope = 'gateway' | 'mine'

/** An administrator looks at the gateway, unless this browser was told otherwise. Others have only their own. */
export function useHomeScope(admin: boolean) {
  const [chosen, setChosen] = useState<HomeScope>(() => (stored.read('home_scope') === 'mine' ? 'mine' : 'gateway'))
  const choose = (scope: HomeScope) => {
    stored.write('home_scope', scope)
    setChosen(scope)
  }
  return { scope: admin ? chosen : 'mine', choose } as const
}
