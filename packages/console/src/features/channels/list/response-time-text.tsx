import type { Channel } from '@tollgate/contract'
import { formatTimestamp } from '../../../lib/format/time.ts'
import { channelsText } from '../../../text/channels.ts'
import { useLocale, useText } from '../../../text/text.ts'
import { responseColor, secondsText, testStateOf } from './response-time.ts'
import classes from './response-time-text.module.css'

type Tested = Pick<Channel, 'response_time' | 'test_time' | 'test_error'>

/** The time of the last test, or that it failed (when and why on hover), or that there was none. */
export function ResponseTimeText({ channel }: { channel: Tested }) {
  const text = useText(channelsText)
  const locale = useLocale()
  const reason = channel.test_error?.[locale === 'en' ? 'en' : 'zh']
  const { response_time, test_time } = channel
  const state = testStateOf(channel)
  const lastTest = text.testedAt(formatTimestamp(test_time))
  const shown = {
    never: { title: text.neverTested, label: text.untested },
    failed: { title: reason === undefined ? lastTest : `${lastTest}\n${reason}`, label: text.testFailed },
    passed: { title: lastTest, label: text.seconds(secondsText(response_time)) },
  }[state]
  return (
    <span
      className={classes.time}
      data-color={state === 'failed' ? 'red' : responseColor(response_time)}
      title={shown.title}
    >
      {shown.label}
    </span>
  )
}
