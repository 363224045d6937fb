import { Button } from '@mantine/core'
import { useState } from 'react'
import { onValid } from '../../lib/forms/focus-first-error.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { isRefused, type RetryChange, useSaveRetries } from './queries.ts'
import classes from './routes.module.css'

/** The server's limits. */
const TIMES_MAX = 10
const SECONDS_MAX = 3600

/** The figures shown are refetched while somebody types: a change is made from those that were shown when it began. */
interface Typed {
  value: number | ''
  base: number
}

/** How often, and for how long, a failed call is retried elsewhere. */
export function RetriesPanel({ times, seconds }: { times: number; seconds: number }) {
  const text = useText(routesText)
  const save = useSaveRetries()
  const [typed, setTyped] = useState<{ times?: Typed; seconds?: Typed }>({})
  const now = { times: typed.times?.value ?? times, seconds: typed.seconds?.value ?? seconds }
  const changes = [...changeOf('RetryTimes', typed.times, times), ...changeOf('RetrySeconds', typed.seconds, seconds)]
  const isChanged = changes.length > 0
  const submit = () => {
    if (!isChanged) return
    save.mutate(changes, {
      onSuccess: () => {
        toast.success(text.retriesSaved)
        setTyped({})
      },
      onError: (error) => isRefused(error) && setTyped({}),
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
          onChange={(value) => setTyped({ ...typed, times: { base: times, ...typed.times, value } })}
        />
        <NumberField
          label={text.retrySeconds}
          description={text.retrySecondsHelp}
          min={0}
          max={SECONDS_MAX}
          step={5}
          value={now.seconds}
          onChange={(value) => setTyped({ ...typed, seconds: { base: seconds, ...typed.seconds, value } })}
        />
        <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
          {text.saveRetries}
        </Button>
      </form>
    </Panel>
  )
}

const changeOf = (key: RetryChange['key'], typed: Typed | undefined, stored: number): RetryChange[] =>
  typed === undefined || typed.value === '' || typed.value === stored
    ? []
    : [{ key, value: typed.value, base: typed.base }]
