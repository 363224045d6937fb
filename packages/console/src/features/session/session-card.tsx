import type { ReactNode } from 'react'
import { useStatus } from '../../api/status.ts'
import { Logo } from '../../ui/layout/logo.tsx'
import classes from './session-card.module.css'

/** The column in which visitors sign in, register and recover. */
export function SessionCard({ title, children, below }: { title: string; children: ReactNode; below?: ReactNode }) {
  const { logo } = useStatus()
  return (
    <div className={classes.place}>
      <div className={classes.card}>
        <div className={classes.top}>
          <Logo src={logo} size={40} />
          <h2 className={classes.title}>{title}</h2>
        </div>
        {children}
      </div>
      {below && <div className={classes.below}>{below}</div>}
    </div>
  )
}
