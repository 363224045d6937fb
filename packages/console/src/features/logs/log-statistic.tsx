import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { LogType } from '@tollgate/contract'
import { useMoney } from '../../lib/format/money.tsx'
import { formatTimestamp } from '../../lib/format/time.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import classes from './logs-page.module.css'
import { type LogView, logStatistic } from './queries.ts'

/** The sum of the filtered entries. Without a type, that is the spending. */
export function LogStatistic({ view }: { view: LogView }) {
  const text = useText(logsText)
  const money = useMoney()
  const { data } = useQuery({ ...logStatistic(view), placeholderData: keepPreviousData })
  const { type = LogType.all } = view.filter
  const spent = type === LogType.all || type === LogType.calls || type === LogType.consume
  return (
    <dl className={classes.statistic}>
      <dt>
        {spent ? text.totalSpent : text.totalQuota}
        {data?.since !== undefined && <span title={text.sinceHelp}>{text.since(formatTimestamp(data.since))}</span>}
        {data?.rounded === true && <span title={text.wholeHoursHelp}>{text.wholeHours}</span>}
      </dt>
      <dd title={data && money.explained(data.quota)}>
        {data === undefined ? <Skeleton height={14} width={64} /> : money.quota(data.quota, 'fine')}
      </dd>
    </dl>
  )
}
