import type { ReactNode } from 'react'
import classes from './form.module.css'

interface FormMoreProps {
  title: string
  opened: boolean
  /** For what is fetched only when somebody wants to see it. */
  onOpen?: () => void
  children: ReactNode
}

/** A section of a form that is closed until somebody wants it. */
export function FormMore({ title, opened, onOpen, children }: FormMoreProps) {
  return (
    <details
      className={classes.section}
      open={opened}
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
    >
      <summary className={classes.more}>{title}</summary>
      <div className={classes.fields}>{children}</div>
    </details>
  )
}
