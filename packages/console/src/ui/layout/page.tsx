import type { ReactNode } from 'react'
import classes from './page.module.css'

interface PageProps {
  /** One line about what is below. The title itself stands in the header, from the route. */
  summary?: ReactNode
  /** The page's one primary button. */
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
