import { Button, Progress } from '@mantine/core'
import { DRAWS_MAX } from '@tollgate/contract'
import { formatExact } from '../../lib/format/numbers.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { FoldedList } from '../../ui/layout/folded-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { type RoutePath, type RouteQuery, useDryRun } from './queries.ts'
import type { changesOf } from './route-order.ts'
import classes from './routes.module.css'

interface DryRunPanelProps {
  query: RouteQuery & { path: RoutePath }
  changes: ReturnType<typeof changesOf>
}

/** Which channels calls would use, including unsaved changes, without making any. */
export function DryRunPanel({ query, changes }: DryRunPanelProps) {
  const text = useText(routesText)
  const run = useDryRun()
  const start = () =>
    run.mutate({ ...query, changes: changes.map(({ id, priority, weight }) => ({ id, priority, weight })) })
  return (
    <Panel
      title={text.dryRun}
      action={
        <Button variant="default" size="xs" loading={run.isPending} onClick={start}>
          {text.dryRunStart}
        </Button>
      }
    >
      <p className={classes.line}>{text.dryRunHelp}</p>
      {run.data !== undefined && run.data.order.length === 0 && <p className={classes.line}>{text.noChannel}</p>}
      {run.data !== undefined && run.data.order.length > 0 && (
        <>
          <h3 className={classes.levelTitle}>{text.dryRunFirsts(formatExact(run.data.draws))}</h3>
          <FoldedList
            items={run.data.firsts}
            idOf={({ channel }) => channel}
            list={(items) => <ul className={classes.rows}>{items}</ul>}
          >
            {({ name, count }) => (
              <li className={classes.bar}>
                <span>{name}</span>
                <span className={classes.muted}>{text.times(formatExact(count))}</span>
                <Progress value={(count / DRAWS_MAX) * 100} aria-label={`${name}: ${text.times(formatExact(count))}`} />
              </li>
            )}
          </FoldedList>
          <h3 className={classes.levelTitle}>{text.dryRunOrder}</h3>
          <FoldedList
            items={run.data.order}
            idOf={({ channel }) => channel}
            list={(items) => <ol className={classes.order}>{items}</ol>}
          >
            {({ name }, index) => <li data-off={index >= run.data.tries || undefined}>{name}</li>}
          </FoldedList>
          <p className={classes.line}>{text.dryRunTries(formatExact(run.data.tries))}</p>
        </>
      )}
    </Panel>
  )
}
