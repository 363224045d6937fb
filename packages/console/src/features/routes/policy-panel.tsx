import { Button, NativeSelect, Switch } from '@mantine/core'
import { ROUTING_POLICIES, type RoutingPolicy } from '@tollgate/contract'
import { type FormEvent, useState } from 'react'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { isRefused, type RouteQuery, useSetPolicy } from './queries.ts'
import classes from './routes.module.css'

interface PolicyPanelProps {
  query: RouteQuery
  policy: RoutingPolicy
  affinity: boolean
  /** Shown for the several groups of a user, each of which has its own. */
  isOfMany: boolean
}

/** The routing policy of this group and model, and whether calls of one conversation stay together. */
export function PolicyPanel({ query, policy, affinity, isOfMany }: PolicyPanelProps) {
  const text = useText(routesText)
  const save = useSetPolicy()
  const [chosen, setChosen] = useState<{ policy?: RoutingPolicy; affinity?: boolean }>({})
  // What is shown is refetched meanwhile: a change is made from what was shown when it began.
  const [seen, setSeen] = useState({ policy, affinity })
  const now = { policy, affinity, ...chosen }
  const choose = (next: typeof chosen) => {
    if (Object.keys(chosen).length === 0) setSeen({ policy, affinity })
    setChosen({ ...chosen, ...next })
  }
  const isChanged = now.policy !== policy || now.affinity !== affinity
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      { ...query, ...now, seen },
      {
        onSuccess: () => {
          toast.success(text.policySaved)
          setChosen({})
        },
        onError: (error) => isRefused(error) && setChosen({}),
      },
    )
  }
  if (isOfMany)
    return (
      <Panel title={text.policy}>
        <p className={classes.line}>{text.policyOfOne}</p>
      </Panel>
    )
  return (
    <Panel title={text.policy}>
      <form className={classes.retries} onSubmit={submit}>
        <NativeSelect
          label={text.policyOf}
          description={text.policyHelp[now.policy]}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={ROUTING_POLICIES.map((value) => ({ value, label: text.policies[value] }))}
          value={now.policy}
          onChange={({ currentTarget }) =>
            choose({ policy: ROUTING_POLICIES.find((each) => each === currentTarget.value) ?? policy })
          }
        />
        <Switch
          label={text.affinity}
          description={text.affinityHelp}
          checked={now.affinity}
          onChange={({ currentTarget }) => choose({ affinity: currentTarget.checked })}
        />
        <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
          {text.savePolicy}
        </Button>
      </form>
    </Panel>
  )
}
