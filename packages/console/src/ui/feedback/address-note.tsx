import type { ReactNode } from 'react'
import classes from './address-note.module.css'

/** Says that the page shows something other than its address asks for. */
export function AddressNote({ children }: { children: ReactNode }) {
  return (
    <p className={classes.note} role="status">
      {children}
    </p>
  )
}
