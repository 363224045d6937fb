import { useEffect, useState } from 'react'

/*
 * The last focused element. An overlay whose code is loaded first appears when the menu that opened it is gone, so the focus is tracked
 * from the beginning.
 */
let last: Element | undefined

document.addEventListener('focusin', ({ target }) => {
  last = openerOf(target)
})

// After a click on an unfocusable element nothing is restored: focusing an earlier field would open a phone's keyboard.
document.addEventListener(
  'pointerdown',
  ({ target }) => {
    if (!(target instanceof Element && target.closest('[role="menu"]'))) last = undefined
  },
  true,
)

/**
 * Restores the focus to where it was when this component appeared. Mantine's own way needs an overlay that exists before it is opened;
 * ours are loaded on demand.
 */
export function useReturnFocus() {
  const [opener] = useState(() => last ?? openerOf(document.activeElement))

  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    },
    [opener],
  )
}

/** A menu entry disappears with its menu; the button that opened it stays. */
function openerOf(target: EventTarget | null) {
  if (!(target instanceof Element)) return undefined
  const button = target.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button && document.getElementById(button)) || target
}
