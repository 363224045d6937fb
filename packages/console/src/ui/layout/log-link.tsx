import type { ReactNode } from 'react'
import type { logSearchOf } from '../../lib/usage/usage-links.ts'
import { AnchorLink } from './links.tsx'

interface LogLinkProps {
  /** Without it the number has no link. */
  search: ReturnType<typeof logSearchOf> | undefined
  children: ReactNode
}

/** A number that links to the calls it counts. */
export function LogLink({ search, children }: LogLinkProps) {
  if (search === undefined) return children
  return (
    <AnchorLink to="/log" search={search} inherit>
      {children}
    </AnchorLink>
  )
}
