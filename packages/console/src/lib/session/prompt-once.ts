import { useState } from 'react'
import { stored } from '../browser/storage.ts'

/** A hint that is shown until it is dismissed once in this browser. */
export function usePromptOnce(name: string) {
  const [visible, setVisible] = useState(() => stored.read(`prompt-${name}`) !== 'true')
  const dismiss = () => {
    stored.write(`prompt-${name}`, 'true')
    setVisible(false)
  }
  return { visible, dismiss }
}
