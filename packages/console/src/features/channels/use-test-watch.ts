import { useEffect, useState } from 'react'
import type { TestWatch } from './test-progress.ts'

/** A test that has not come to an end by then goes on without us. */
const PATIENCE_MS = 120_000

/** Remembers that a test of many channels runs, until `stop` or until patience ends. */
export function useTestWatch() {
  const [watch, setWatch] = useState<TestWatch>()

  useEffect(() => {
    if (watch === undefined) return
    const timer = setTimeout(() => setWatch(undefined), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [watch])

  return { watch, start: setWatch, stop: () => setWatch(undefined) }
}
