import { type ReactNode, useId } from 'react'
import classes from './form.module.css'

/** A group of fields with a heading. */
export function FormSection({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      {help && <p className={classes.help}>{help}</p>}
      <div className={classes.fields}>{children}</div>
    </section>
  )
}
