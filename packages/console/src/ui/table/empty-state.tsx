import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  title: string
  help?: string
  /** The next step. */
  action?: ReactNode
  icon?: ReactNode
}

/** Says why there is nothing here, and what to do about it. */
export function EmptyState({ title, help, action, icon }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {icon && <div className={classes.icon}>{icon}</div>}
      <p className={classes.title}>{title}</p>
      {help && <p className={classes.help}>{help}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
