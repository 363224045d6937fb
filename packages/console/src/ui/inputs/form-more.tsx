import type { ReactNode } from 'react'
import classes from './form.module.css'

/** A section of a form that is closed until somebody wants it. */
export function FormMore({ title, opened, children }: { title: string; opened: boolean; children: ReactNode }) {
  return (
    <details className={classes.section} open={opened}>
      <summary className={classes.more}>{title}</summary>
      <div className={classes.fields}>{children}</div>
    </details>
  )
}
