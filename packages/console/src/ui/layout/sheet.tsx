import type { ReactNode } from 'react'
import classes from './sheet.module.css'

/** A plain surface that content lies on. */
export function Sheet({ children }: { children: ReactNode }) {
  return <div className={classes.sheet}>{children}</div>
}
