import type { ReactNode } from 'react'
import classes from './page.module.css'

interface PageProps {
  /** One line about the content. The title itself is in the header, from the route. */
  summary?: ReactNode
  /** The page's primary button. */
  action?: ReactNode
  /** Search box, selects, quick ranges. */
  filters?: ReactNode
  children: ReactNode
}

export function Page({ summary, action, filters, children }: PageProps) {
  return (
    <div className={classes.page}>
      {(summary !== undefined || action !== undefined) && (
        <div className={classes.top}>
          <div className={classes.summary}>{summary}</div>
          {action}
        </div>
      )}
      {filters && <div className={classes.filters}>{filters}</div>}
      {children}
    </div>
  )
}
