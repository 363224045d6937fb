import type { Warning } from '@tollgate/contract'
import { useRef, useState } from 'react'
import { commonText } from '../../text/common.ts'
import { useContractText } from '../../text/contract-text.ts'
import { useText } from '../../text/text.ts'
import { confirm, type Question } from './dialogs.ts'

interface Change {
  /** What the server says would break. */
  ask: () => Promise<readonly Warning[]>
  save: () => void
  /** Instead of "Save anyway?", where what happens has another name. */
  question?: Pick<Question, 'title' | 'confirmLabel'>
}

/** Saves at once what breaks nothing, and otherwise after a question that says what would. */
export function useWarned() {
  const text = useText(commonText)
  const inLanguage = useContractText()
  const asking = useRef(false)
  const [isChecking, setIsChecking] = useState(false)

  const warned = async ({ ask, save, question }: Change) => {
    if (asking.current) return
    asking.current = true
    setIsChecking(true)
    // Without an answer the change is sent all the same: it is up to the server to refuse it.
    const found = await ask().catch(() => [])
    setIsChecking(false)
    const { title = text.saveAnywayAsk, confirmLabel = text.saveAnyway } = question ?? {}
    const help = found.map(inLanguage).join('\n')
    const isMeant = found.length === 0 || (await confirm({ title, help, confirmLabel, danger: true }))
    asking.current = false
    if (isMeant) save()
  }

  return { warned: (change: Change) => void warned(change), isChecking }
}
