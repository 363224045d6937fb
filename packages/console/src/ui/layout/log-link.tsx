import type { ReactNode } from 'react'
import type { logSearchOf } from '../../lib/usage-links.ts'
import { AnchorLink } from './links.tsx'

interface LogLinkProps {
  /** What `logSearchOf` found: without it there is no way to the calls, and the number stands alone. */
  search: ReturnType<typeof logSearchOf>
  children: ReactNode
}

/** A number that leads to the calls it counts. */
export function LogLink({ search, children }: LogLinkProps) {
  if (search === undefined) return children
  return (
    <AnchorLink to="/log" search={search} inherit>
      {children}
    </AnchorLink>
  )
}
