import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { homeContent } from './queries.ts'

const SiteContent = lazy(() =>
  import('../../ui/display/site-content.tsx').then((file) => ({ default: file.SiteContent })),
)

/** The operator's content above the overview, as for visitors. */
export function OwnContent() {
  const text = useText(homeText)
  const { data: content = '' } = useQuery(homeContent)
  if (content.trim() === '') return null
  return (
    <Suspense>
      <SiteContent source={content} title={text.content} />
    </Suspense>
  )
}
