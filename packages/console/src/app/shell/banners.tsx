import { isRoot } from '@tollgate/contract'
import { lazy, Suspense } from 'react'
import { useStatus, useStatusKnown } from '../../api/status.ts'
import { useSessionUser } from '../../lib/session/session-user.ts'
import { versionsDiffer } from '../versions-differ.ts'

const DefaultPasswordBanner = lazy(() =>
  import('./default-password-banner.tsx').then((file) => ({ default: file.DefaultPasswordBanner })),
)
const LedgerBanner = lazy(() => import('./ledger-banner.tsx').then((file) => ({ default: file.LedgerBanner })))
const VersionBanner = lazy(() => import('./version-banner.tsx').then((file) => ({ default: file.VersionBanner })))

/** Warnings shown on every page until they are resolved. Hardly anyone sees them, so hardly anyone loads them. */
export function Banners() {
  const user = useSessionUser()
  const { version } = useStatus()
  const known = useStatusKnown()
  return (
    <Suspense>
      {user !== undefined && isRoot(user.role) && (
        <>
          <DefaultPasswordBanner />
          <LedgerBanner />
        </>
      )}
      {known && versionsDiffer(version, __CONSOLE_VERSION__) && (
        <VersionBanner server={version} console={__CONSOLE_VERSION__} />
      )}
    </Suspense>
  )
}
