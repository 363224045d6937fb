import { type KeyboardEvent, type PointerEvent, useState } from 'react'
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

/** Dragging by a handle, with mouse, pen or touch. Escape cancels. */
export function useRouteDrag(onDrop: (channel: number, target: Target) => void) {
  const [dragged, setDragged] = useState<Dragged>()
  const end = () => setDragged(undefined)

  const handleOf = (channel: number, name: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged({ channel, name, over: undefined, x: event.clientX, y: event.clientY })
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent<HTMLElement>) => {
      if (dragged?.channel !== channel) return
      if (y < EDGE) window.scrollBy(0, -SCROLL_BY)
      if (y > window.innerHeight - EDGE) window.scrollBy(0, SCROLL_BY)
      setDragged({ ...dragged, x, y, over: targetAt(x, y) })
    },
    onPointerUp: ({ clientX: x, clientY: y }: PointerEvent<HTMLElement>) => {
      if (dragged?.channel !== channel) return
      const over = targetAt(x, y)
      end()
      if (over !== undefined) onDrop(channel, over)
    },
    onPointerCancel: end,
    onKeyDown: ({ key }: KeyboardEvent<HTMLElement>) => key === 'Escape' && end(),
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
