import { useEffect, useEffectEvent } from 'react'

interface RowKeys {
  /** Ids of the visible rows, from the top. */
  ids: readonly number[]
  chosen: number | undefined
  onChoose: (id: number) => void
  onOpen: (id: number) => void
}

/** J and K move down and up in a list, Enter opens the selected row. */
export function useRowKeys({ ids, chosen, onChoose, onOpen }: RowKeys) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    const key = event.key.toLowerCase()
    if (key === 'enter' && chosen !== undefined && ids.includes(chosen) && !isControl(event.target)) {
      event.preventDefault()
      onOpen(chosen)
    }
    const next = key === 'j' || key === 'k' ? neighbour(ids, chosen, key === 'j' ? 1 : -1) : undefined
    if (next !== undefined) onChoose(next)
  })

  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** The row this many steps away, bounded by the list; the first when none is selected. */
export function neighbour(ids: readonly number[], chosen: number | undefined, step: number): number | undefined {
  const at = chosen === undefined ? -1 : ids.indexOf(chosen)
  if (at === -1) return ids[0]
  return ids[Math.min(Math.max(at + step, 0), ids.length - 1)]
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Elements that handle Enter themselves. */
const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, summary, [role="menuitem"], [role="dialog"]') !== null
