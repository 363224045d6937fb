import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

interface PanelProps {
  title: string
  /** A link or small button on the right of the title. */
  action?: ReactNode
  /** For content that reaches the edges, such as rows with hairlines. */
  flush?: boolean
  children: ReactNode
}

/** A section of a page with a heading, other than a form. */
export function Panel({ title, action, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section className={classes.panel} data-flush={flush || undefined} aria-labelledby={id}>
      <div className={classes.top}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
