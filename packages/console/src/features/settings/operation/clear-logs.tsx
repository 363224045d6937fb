import { Button } from '@mantine/core'
import { SECONDS_PER_MONTH } from '@tollgate/contract'
import { useState } from 'react'
import { formatTimestamp, nowSeconds, parseTimestamp } from '../../../lib/format/time.ts'
import { settingsText } from '../../../text/settings.ts'
import { useText } from '../../../text/text.ts'
import { confirm } from '../../../ui/feedback/dialogs.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { DateTimeInput } from '../../../ui/inputs/date-time-input.tsx'
import { useClearLogs } from '../queries.ts'
import classes from '../settings.module.css'

/** Deletes everybody's logs before a time, by default a month ago. */
export function ClearLogs() {
  const text = useText(settingsText)
  const [before, setBefore] = useState(() => formatTimestamp(nowSeconds() - SECONDS_PER_MONTH))
  const [wrong, setWrong] = useState(false)
  const clear = useClearLogs()

  const ask = async () => {
    const seconds = parseTimestamp(before)
    setWrong(seconds === undefined)
    if (seconds === undefined) return
    const yes = await confirm({
      title: text.clearAsk(formatTimestamp(seconds)),
      help: text.clearHelp,
      confirmLabel: text.clearLogs,
      danger: true,
    })
    if (yes) clear.mutate(seconds, { onSuccess: (count) => toast.success(text.cleared(count)) })
  }

  return (
    <div className={classes.apart}>
      <DateTimeInput
        label={text.clearBefore}
        value={before}
        onChange={setBefore}
        {...(wrong && { error: text.clearBad })}
      />
      <div>
        <Button variant="light" color="red" loading={clear.isPending} onClick={() => void ask()}>
          {text.clearLogs}
        </Button>
      </div>
    </div>
  )
}
