import { RESEND_COOLDOWN_SECONDS } from '@tollgate/contract'
import { useEffect, useState } from 'react'

/** Seconds until a button may be pressed again; 0 when it may. */
export function useCountdown(seconds = RESEND_COOLDOWN_SECONDS) {
  const [left, setLeft] = useState(0)
  const running = left > 0

  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setLeft((value) => value - 1), 1000)
    return () => clearInterval(timer)
  }, [running])

  return { left, start: () => setLeft(seconds) }
}
