import type { ReactNode } from 'react'
import classes from './form.module.css'

interface FormMoreProps {
  title: string
  opened: boolean
  /** For data that is fetched only when the section is opened. */
  onOpen?: () => void
  children: ReactNode
}

/** A collapsed section of a form. */
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
