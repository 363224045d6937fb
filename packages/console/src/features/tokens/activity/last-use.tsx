import type { KeyActivity } from '@tollgate/contract'
import { formatTimestamp } from '../../../lib/format/time.ts'
import { keyActivityText } from '../../../text/key-activity.ts'
import { useText } from '../../../text/text.ts'
import { TimeText } from '../../../ui/display/time-text.tsx'
import { Hint } from '../../../ui/feedback/hint.tsx'
import classes from './activity.module.css'

interface LastUseProps {
  token: { created_time: number; accessed_time: number; used_quota: number }
  activity: KeyActivity | undefined
}

/** When a key was last used, and from where in the last day. */
export function LastUse({ token: { created_time, accessed_time, used_quota }, activity }: LastUseProps) {
  const text = useText(keyActivityText)
  const isUsed = accessed_time !== created_time || used_quota > 0
  const isSeen = activity !== undefined && activity.address_count > 0
  return (
    <div className={classes.use}>
      {isUsed ? <TimeText seconds={accessed_time} /> : isSeen ? text.noCallYet : text.neverUsed}
      {isSeen && <Addresses activity={activity} />}
    </div>
  )
}

function Addresses({ activity: { addresses, address_count } }: { activity: KeyActivity }) {
  const text = useText(keyActivityText)
  const list = addresses
    .map(({ address, last_at }) => text.addressAt(address, formatTimestamp(last_at)))
    .join(text.comma)
  const all = address_count > addresses.length ? text.moreAddresses(list, address_count) : list
  return (
    <Hint label={text.addressesOf(all)}>
      <span className={classes.addresses}>{text.addresses(address_count)}</span>
    </Hint>
  )
}
