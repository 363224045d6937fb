import { type RefObject, useEffect, useState } from 'react'

/** Whether there is more at the end of a box that scrolls sideways. */
export function useScrollsOn(box: RefObject<HTMLElement | null>) {
  const [scrollsOn, setScrollsOn] = useState(false)

  useEffect(() => {
    const element = box.current
    if (element === null) return
    // A fraction of a pixel is not worth scrolling.
    const look = () => setScrollsOn(element.scrollLeft + element.clientWidth < element.scrollWidth - 1)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    // The table may grow without its box.
    for (const child of element.children) observer.observe(child)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [box])

  return scrollsOn
}
