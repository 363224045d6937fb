import { Button } from '@mantine/core'
import { useState } from 'react'
import { onValid } from '../../lib/forms/focus-first-error.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useSaveRetries } from './queries.ts'
import classes from './routes.module.css'

/** The server's limits. */
const TIMES_MAX = 10
const SECONDS_MAX = 3600

/** How often, and for how long, a failed call is retried elsewhere. */
export function RetriesPanel({ times, seconds }: { times: number; seconds: number }) {
  const text = useText(routesText)
  const save = useSaveRetries()
  const [typed, setTyped] = useState<{ times?: number | ''; seconds?: number | '' }>({})
  const now = { times: typed.times ?? times, seconds: typed.seconds ?? seconds }
  const values = {
    ...(now.times !== '' && now.times !== times && { RetryTimes: now.times }),
    ...(now.seconds !== '' && now.seconds !== seconds && { RetrySeconds: now.seconds }),
  }
  const isChanged = Object.keys(values).length > 0
  const submit = () => {
    if (!isChanged) return
    save.mutate(values, {
      onSuccess: () => {
        toast.success(text.retriesSaved)
        setTyped({})
      },
    })
  }
  return (
    <Panel title={text.retries}>
      <form className={classes.retries} noValidate onSubmit={onValid(submit)}>
        <NumberField
          label={text.retryTimes}
          description={text.retryTimesHelp}
          min={0}
          max={TIMES_MAX}
          value={now.times}
          onChange={(value) => setTyped({ ...typed, times: value })}
        />
        <NumberField
          label={text.retrySeconds}
          description={text.retrySecondsHelp}
          min={0}
          max={SECONDS_MAX}
          step={5}
          value={now.seconds}
          onChange={(value) => setTyped({ ...typed, seconds: value })}
        />
        <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
          {text.saveRetries}
        </Button>
      </form>
    </Panel>
  )
}
