import { useEffect, useState } from 'react'

/**
 * Gives the focus back to where it was when this component appeared. Mantine's own way needs an overlay that exists
 * before it is opened; ours are loaded when they are first needed.
 */
export function useReturnFocus() {
  const [opener] = useState(() => document.activeElement)

  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    },
    [opener],
  )
}
