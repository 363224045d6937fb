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
  const known = formatBalance(type, balance)
  if (known === undefined) return <span className={classes.none}>{text.unsupported}</span>
  // Until the vendor has answered once, the stored 0 is no balance.
  const isKnown = balance_updated_time !== 0
  const shown = isKnown ? known : text.balanceUnknown
  const tip = isKnown ? text.refreshedAt(formatTimestamp(balance_updated_time)) : text.clickToRefresh
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
