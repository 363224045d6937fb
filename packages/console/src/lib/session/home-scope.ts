import { useState } from 'react'
import { stored } from '../browser/storage.ts'

/** Whose calls the overview shows: everybody's, or the user's own. */
export type HomeScope = 'gateway' | 'mine'

/** Administrators see the gateway by default; the choice is remembered in this browser. Others only see their own. */
export function useHomeScope(admin: boolean) {
  const [chosen, setChosen] = useState<HomeScope>(() => (stored.read('home_scope') === 'mine' ? 'mine' : 'gateway'))
  const choose = (scope: HomeScope) => {
    stored.write('home_scope', scope)
    setChosen(scope)
  }
  return { scope: admin ? chosen : 'mine', choose } as const
}
