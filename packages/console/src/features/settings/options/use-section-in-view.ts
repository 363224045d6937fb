import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SectionId } from './sections.ts'

/** The band below the header in which a section counts as the current one. */
const BAND = '-120px 0px -60% 0px'

export function useSectionInView(ids: readonly SectionId[]) {
  const chosen = useLocation({ select: ({ hash }) => hash })
  const [here, setHere] = useState<SectionId | undefined>(ids[0])

  useEffect(() => {
    const visible = new Set<string>()
    const update = () => {
      // The last sections never reach the band: there it is the chosen one, or the last.
      const current = isAtEnd()
        ? (ids.find((id) => id === chosen && isOnScreen(id)) ?? ids.at(-1))
        : ids.find((id) => visible.has(id))
      if (current !== undefined) setHere(current)
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          isIntersecting ? visible.add(target.id) : visible.delete(target.id)
        update()
      },
      { rootMargin: BAND },
    )
    for (const id of ids) {
      const element = document.getElementById(id)
      if (element !== null) observer.observe(element)
    }
    addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('scroll', update)
    }
  }, [ids, chosen])

  return here
}

function isAtEnd() {
  const { scrollHeight } = document.documentElement
  return scrollY > 0 && scrollY + innerHeight >= scrollHeight - 1
}

function isOnScreen(id: string) {
  const top = document.getElementById(id)?.getBoundingClientRect().top
  return top !== undefined && top >= 0 && top < innerHeight
}
