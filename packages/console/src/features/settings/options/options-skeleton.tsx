import { Skeleton } from '@mantine/core'
import classes from '../settings.module.css'

export function OptionsSkeleton() {
  return (
    <div className={classes.layout} aria-busy="true">
      <div className={classes.nav}>
        {[0, 1, 2, 3, 4].map((line) => (
          <Skeleton key={line} height={14} width={100} my={9} />
        ))}
      </div>
      <div className={classes.cards}>
        {[0, 1, 2].map((card) => (
          <div key={card} className={classes.card}>
            <Skeleton height={16} width={140} mb={20} />
            <Skeleton height={34} mb={16} />
            <Skeleton height={34} />
          </div>
        ))}
      </div>
    </div>
  )
}
