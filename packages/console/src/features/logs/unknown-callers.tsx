import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatExact } from '../../lib/format/numbers.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { TimeText } from '../../ui/display/time-text.tsx'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import classes from './log-panel.module.css'
import { unknownCallers } from './queries.ts'
import { SidePanel } from './side-panel.tsx'

/** Calls with unknown keys. They have no owner, and no log entries. */
export function UnknownCallers({ onClose }: { onClose: () => void }) {
  const text = useText(logsText).unknown
  const { data, isError, error, refetch } = useQuery(unknownCallers())
  return (
    <SidePanel title={text.title} size={520} onClose={onClose}>
      {data === undefined &&
        (isError ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <Skeleton height={80} />)}
      {data && <p className={classes.lead}>{text.help(formatTimestamp(data.since), data.node)}</p>}
      {data?.callers.length === 0 && <p className={classes.content}>{text.none}</p>}
      {data !== undefined && data.callers.length > 0 && (
        <table className={classes.table} aria-label={text.title}>
          <thead>
            <tr>
              <th scope="col">{text.address}</th>
              <th scope="col">{text.count}</th>
              <th scope="col">{text.first}</th>
              <th scope="col">{text.last}</th>
            </tr>
          </thead>
          <tbody>
            {data.callers.map(({ address, count, first_at, last_at }) => (
              <tr key={address}>
                <td className={classes.mono}>{address}</td>
                <td>{formatExact(count)}</td>
                <td>
                  <TimeText seconds={first_at} />
                </td>
                <td>
                  <TimeText seconds={last_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SidePanel>
  )
}
