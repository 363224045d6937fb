import { useEffect, useState } from 'react'

const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const

/** True after the first interaction, so that optional data is not fetched for a page opened in passing. */
export function useInteracted() {
  const [attended, setAttended] = useState(false)
  useEffect(() => {
    const notice = () => setAttended(true)
    for (const sign of SIGNS) window.addEventListener(sign, notice, { once: true, passive: true })
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, notice)
    }
  }, [])
  return attended
}
