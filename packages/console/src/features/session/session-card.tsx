import type { ReactNode } from 'react'
import { Mark } from '../../ui/mark.tsx'
import classes from './session-card.module.css'

/** The one column in which visitors sign in, register and recover. */
export function SessionCard({ title, children, below }: { title: string; children: ReactNode; below?: ReactNode }) {
  return (
    <div className={classes.place}>
      <div className={classes.card}>
        <div className={classes.top}>
          <span className={classes.mark}>
            <Mark size={36} />
          </span>
          <h1 className={classes.title}>{title}</h1>
        </div>
        {children}
      </div>
      {below && <div className={classes.below}>{below}</div>}
    </div>
  )
}
