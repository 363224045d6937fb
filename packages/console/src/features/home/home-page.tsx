import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useSessionUser } from '../../lib/session/session-user.ts'
import { useNotice } from './use-notice.ts'
import { VisitorHome } from './visitor-home.tsx'

// Not loaded for visitors.
const Overview = lazy(() => import('./overview.tsx').then((file) => ({ default: file.Overview })))

export function HomePage() {
  const user = useSessionUser()
  useNotice()
  if (user === undefined) return <VisitorHome />
  return (
    <Suspense fallback={<Skeleton height={96} />}>
      <Overview />
    </Suspense>
  )
}
