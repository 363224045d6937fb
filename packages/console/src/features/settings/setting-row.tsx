import type { ReactNode } from 'react'
import classes from './settings.module.css'

/** An action, its explanation, and its button. */
export function SettingRow({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <div className={classes.row}>
      <div className={classes.what}>
        <p className={classes.title}>{title}</p>
        <p className={classes.note}>{note}</p>
      </div>
      {children}
    </div>
  )
}
