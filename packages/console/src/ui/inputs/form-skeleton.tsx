import { Skeleton } from '@mantine/core'
import classes from './form.module.css'

/** Shown in place of a form while its values load. */
export function FormSkeleton() {
  return (
    <div className={classes.form} aria-busy="true">
      {[0, 1].map((section) => (
        <div key={section} className={classes.section}>
          <Skeleton height={16} width={120} mb={20} />
          <Skeleton height={34} mb={16} />
          <Skeleton height={34} />
        </div>
      ))}
    </div>
  )
}
