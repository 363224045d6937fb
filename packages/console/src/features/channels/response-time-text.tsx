import type { Channel } from '@tollgate/contract'
import { formatTimestamp } from '../../lib/time.ts'
import { channelsText } from '../../text/channels.ts'
import { useText } from '../../text/text.ts'
import { responseColor, secondsText } from './response-time.ts'
import classes from './response-time-text.module.css'

export function ResponseTimeText({ channel }: { channel: Pick<Channel, 'response_time' | 'test_time'> }) {
  const text = useText(channelsText)
  const { response_time, test_time } = channel
  return (
    <span
      className={classes.time}
      data-color={responseColor(response_time)}
      title={test_time === 0 ? text.neverTested : text.testedAt(formatTimestamp(test_time))}
    >
      {response_time === 0 ? text.untested : text.seconds(secondsText(response_time))}
    </span>
  )
}
