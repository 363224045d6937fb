import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import type { Target } from './route-order.ts'

interface Dragged {
  channel: number
  name: string
  /** The current drop target. */
  over: Target | undefined
  x: number
  y: number
}

/** The distance from a window edge at which dragging scrolls the page. */
const EDGE = 72
const SCROLL_BY = 14

export type HandleOf = ReturnType<typeof useRouteDrag>['handleOf']

/** Dragging by a handle, with mouse, pen or touch. Escape cancels. */
export function useRouteDrag(onDrop: (channel: number, target: Target) => void) {
  const [dragged, setDragged] = useState<Dragged>()
  // The handles stay the same while something is dragged, so that hundreds of cards are not rendered again at each move.
  const now = useRef({ dragged, onDrop })
  now.current = { dragged, onDrop }

  const [handleOf] = useState(() => {
    const end = () => setDragged(undefined)
    const draggedIf = (channel: number) => (now.current.dragged?.channel === channel ? now.current.dragged : undefined)
    return (channel: number, name: string) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged({ channel, name, over: undefined, x: event.clientX, y: event.clientY })
      },
      onPointerMove: ({ clientX: x, clientY: y }: PointerEvent<HTMLElement>) => {
        const own = draggedIf(channel)
        if (own === undefined) return
        if (y < EDGE) window.scrollBy(0, -SCROLL_BY)
        if (y > window.innerHeight - EDGE) window.scrollBy(0, SCROLL_BY)
        setDragged({ ...own, x, y, over: targetAt(x, y) })
      },
      onPointerUp: ({ clientX: x, clientY: y }: PointerEvent<HTMLElement>) => {
        if (draggedIf(channel) === undefined) return
        const over = targetAt(x, y)
        end()
        if (over !== undefined) now.current.onDrop(channel, over)
      },
      onPointerCancel: end,
      onKeyDown: ({ key }: KeyboardEvent<HTMLElement>) => key === 'Escape' && end(),
    })
  })

  return { dragged, handleOf }
}

/** Marks an element as a drop target. */
export const dropOf = (target: Target) => ({ 'data-drop': JSON.stringify(target) })

function targetAt(x: number, y: number): Target | undefined {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop]')
  const text = element?.dataset.drop
  // Written only by `dropOf`.
  return text === undefined ? undefined : (JSON.parse(text) as Target)
}

export const isSameTarget = (one: Target, other: Target | undefined) => JSON.stringify(one) === JSON.stringify(other)
