import { useEffect, useState } from 'react'

/*
 * What had the focus last. An overlay whose code is fetched first appears when the menu that opened it is gone, so the
 * focus is followed from the beginning.
 */
let last: Element | undefined

document.addEventListener('focusin', ({ target }) => {
  last = openerOf(target)
})

// A click on what takes no focus opens for nobody: giving the focus to an earlier field would open a phone's keyboard.
document.addEventListener(
  'pointerdown',
  ({ target }) => {
    if (!(target instanceof Element && target.closest('[role="menu"]'))) last = undefined
  },
  true,
)

/**
 * Gives the focus back to where it was when this component appeared. Mantine's own way needs an overlay that exists
 * before it is opened; ours are loaded when they are first needed.
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

/** The entry of a menu goes with its menu; the button that opened it stays. */
function openerOf(target: EventTarget | null) {
  if (!(target instanceof Element)) return undefined
  const button = target.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button && document.getElementById(button)) || target
}
