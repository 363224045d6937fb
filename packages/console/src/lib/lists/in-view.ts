import { type RefObject, useEffect, useState } from 'react'

/** A sliver at the lower edge does not count as seen. */
const MARGIN_PX = 32

/** True once the element has been on the screen: what nobody scrolls to need not be fetched. */
export function useSeen(target: RefObject<Element | null>) {
  const [seen, setSeen] = useState(false)

  useEffect(() => {
    if (seen || target.current === null) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setSeen(true)
      },
      { rootMargin: `0px 0px -${MARGIN_PX}px` },
    )
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [seen, target])

  return seen
}
