import { useEffect, useState } from 'react'
import type { SectionId } from './sections.ts'

/** The band below the header in which a section counts as the current one. */
const BAND = '-120px 0px -60% 0px'

export function useSectionInView(ids: readonly SectionId[]) {
  const [here, setHere] = useState<SectionId | undefined>(ids[0])

  useEffect(() => {
    const visible = new Set<Element>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) isIntersecting ? visible.add(target) : visible.delete(target)
        const first = ids.find((id) => [...visible].some((element) => element.id === id))
        if (first !== undefined) setHere(first)
      },
      { rootMargin: BAND },
    )
    for (const id of ids) {
      const element = document.getElementById(id)
      if (element !== null) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [ids])

  return here
}
