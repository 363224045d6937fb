import { Tooltip, UnstyledButton } from '@mantine/core'
import type { Channel } from '@tollgate/contract'
import { formatTimestamp } from '../../../lib/format/time.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useRefreshBalance } from '../queries.ts'
import { formatBalance } from './balance.ts'
import classes from './balance-button.module.css'

/** The last known balance; a click queries the vendor again. */
export function BalanceButton({ channel }: { channel: Channel }) {
  const text = useText(channelsText)
  const refresh = useRefreshBalance()
  const { id, type, name, balance, balance_updated_time } = channel
  const shown = formatBalance(type, balance)
  if (shown === undefined) return <span className={classes.none}>{text.unsupported}</span>
  const tip = balance_updated_time === 0 ? text.clickToRefresh : text.refreshedAt(formatTimestamp(balance_updated_time))
  return (
    <Tooltip label={tip}>
      <UnstyledButton
        className={classes.balance}
        aria-label={`${shown}, ${text.refreshBalance(name)}`}
        disabled={refresh.isPending}
        onClick={() => refresh.mutate(id, { onSuccess: () => toast.success(text.refreshed(name)) })}
      >
        {shown}
      </UnstyledButton>
    </Tooltip>
  )
}
