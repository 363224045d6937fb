import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef } from 'react'
import { useSeen } from '../../lib/in-view.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { homeContent } from './queries.ts'

const SiteContent = lazy(() => import('../../ui/site-content.tsx').then((file) => ({ default: file.SiteContent })))

/** Below the overview: what the operator wrote for visitors. */
export function OwnContent() {
  const text = useText(homeText)
  const place = useRef<HTMLDivElement>(null)
  const { data: content = '' } = useQuery({ ...homeContent, enabled: useSeen(place) })
  return (
    <div ref={place}>
      <Suspense>{content.trim() !== '' && <SiteContent source={content} title={text.content} />}</Suspense>
    </div>
  )
}
