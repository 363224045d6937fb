import { useEffect, useState } from 'react'

const EVENTS = ['pointermove', 'pointerdown', 'keydown'] as const

/** True after the first interaction, so that optional data is not fetched for a page opened in passing. */
export function useInteracted() {
  const [interacted, setInteracted] = useState(false)
  useEffect(() => {
    const notice = () => setInteracted(true)
    for (const event of EVENTS) window.addEventListener(event, notice, { once: true, passive: true })
    return () => {
      for (const event of EVENTS) window.removeEventListener(event, notice)
    }
  }, [])
  return interacted
}
