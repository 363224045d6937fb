import { Skeleton } from '@mantine/core'
import classes from './connection.module.css'

export function ConnectSkeleton() {
  return (
    <div className={classes.page} aria-busy="true">
      <Skeleton height={72} />
      <div className={classes.layout}>
        <Skeleton height={420} className={classes.side} />
        <Skeleton height={420} />
      </div>
    </div>
  )
}
