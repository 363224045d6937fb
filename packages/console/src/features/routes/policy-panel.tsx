import { Button, NativeSelect, Switch } from '@mantine/core'
import { ROUTING_POLICIES, type RoutingPolicy } from '@tollgate/contract'
import { type FormEvent, useState } from 'react'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { type RouteQuery, useSetPolicy } from './queries.ts'
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
  const now = { policy, affinity, ...chosen }
  const isChanged = now.policy !== policy || now.affinity !== affinity
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      { ...query, ...now },
      {
        onSuccess: () => {
          toast.success(text.policySaved)
          setChosen({})
        },
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
            setChosen({ ...chosen, policy: ROUTING_POLICIES.find((each) => each === currentTarget.value) ?? policy })
          }
        />
        <Switch
          label={text.affinity}
          description={text.affinityHelp}
          checked={now.affinity}
          onChange={({ currentTarget }) => setChosen({ ...chosen, affinity: currentTarget.checked })}
        />
        <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
          {text.savePolicy}
        </Button>
      </form>
    </Panel>
  )
}
