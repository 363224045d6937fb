import { Button } from '@mantine/core'
import { commaList, type RouteView } from '@tollgate/contract'
import { lazy, Suspense, useRef, useState } from 'react'
import { useMoney } from '../../lib/format/money.tsx'
import { formatExact } from '../../lib/format/numbers.ts'
import { focusFault } from '../../lib/forms/focus-first-error.ts'
import { useUnsavedGuard } from '../../lib/forms/unsaved-guard.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { UnsavedDialog } from '../../ui/inputs/form-unsaved.tsx'
import { IconSitemap } from '../../ui/layout/icons.tsx'
import { AnchorLink, ButtonLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { ChoicesPanel } from './choices-panel.tsx'
import { DryRunPanel } from './dry-run-panel.tsx'
import { LeftOut } from './left-out.tsx'
import { PolicyPanel } from './policy-panel.tsx'
import type { RoutePath, RouteQuery } from './queries.ts'
import { renewalText } from './renewal-text.ts'
import { RetriesPanel } from './retries-panel.tsx'
import { RouteLevels } from './route-levels.tsx'
import { changesOf, type Edits } from './route-order.ts'
import classes from './routes.module.css'

const ChangeDialog = lazy(() => import('./change-dialog.tsx').then((file) => ({ default: file.ChangeDialog })))

const NO_EDITS: Edits = new Map()

interface RouteScreenProps {
  query: RouteQuery & { path: RoutePath }
  view: RouteView
}

/** The route of one group and model: the levels on the left, settings and tools on the right. */
export function RouteScreen({ query, view }: RouteScreenProps) {
  const text = useText(routesText)
  const money = useMoney()
  const [edits, setEdits] = useState(NO_EDITS)
  const [reviewing, setReviewing] = useState(false)
  const levels = useRef<HTMLDivElement>(null)
  // Invalid text in a field is no edit, and is discarded with its field.
  const [discards, setDiscards] = useState(0)
  const discard = () => {
    setEdits(NO_EDITS)
    setDiscards(discards + 1)
  }
  const changes = changesOf(view.levels, edits)
  const guard = useUnsavedGuard(changes.length > 0)
  const channels = view.levels.reduce((sum, level) => sum + level.channels.length, 0)
  const { group, model } = query
  return (
    <div className={classes.columns}>
      <Panel
        title={text.levels}
        action={
          <span className={classes.muted}>{text.summary(formatExact(channels), formatExact(view.levels.length))}</span>
        }
      >
        {view.model !== model && <p className={classes.line}>{text.behind(view.model)}</p>}
        {view.spent_groups.map((spent) => (
          <p key={spent.group} className={classes.reason}>
            {text.groupSpent(spent.group, renewalText(spent, text))}{' '}
            <AnchorLink to="/budget" search={{ scope: 'group', target: spent.group }} inherit>
              {text.showBudgets}
            </AnchorLink>
          </p>
        ))}
        {view.group_budgets.map(({ group: name, left, quota }) => (
          <p key={name} className={classes.line}>
            {text.groupLeft(name, money.quota(left, 'fine'), money.quota(quota, 'fine'))}{' '}
            <AnchorLink to="/budget" search={{ scope: 'group', target: name }} inherit>
              {text.showBudgets}
            </AnchorLink>
          </p>
        ))}
        {channels === 0 ? (
          <EmptyState
            icon={<IconSitemap size={32} stroke={1.5} />}
            title={text.noChannel}
            help={text.noChannelHelp}
            action={<ButtonLink to="/channel/add">{text.addChannel}</ButtonLink>}
          />
        ) : (
          <div ref={levels}>
            <RouteLevels key={discards} stored={view.levels} policy={view.policy} edits={edits} onEdits={setEdits} />
          </div>
        )}
        {changes.length > 0 && (
          <div className={classes.saveBar}>
            <span className={classes.unsaved}>{text.unsaved(formatExact(changes.length))}</span>
            <Button variant="default" onClick={discard}>
              {text.discard}
            </Button>
            <Button onClick={() => !focusFault(levels.current) && setReviewing(true)}>{text.review}</Button>
          </div>
        )}
      </Panel>
      <div className={classes.side}>
        <LeftOut view={view} />
        <PolicyPanel
          query={{ group, model: view.model }}
          policy={view.policy}
          affinity={view.affinity}
          isOfMany={commaList(group).length > 1}
        />
        <DryRunPanel query={query} changes={changes} />
        <RetriesPanel times={view.retries} seconds={view.retry_seconds} />
        <ChoicesPanel query={{ group, model }} />
      </div>
      {reviewing && (
        <Suspense>
          <ChangeDialog
            query={{ group, model: view.model }}
            changes={changes}
            onClose={() => setReviewing(false)}
            onSaved={() => {
              setReviewing(false)
              setEdits(NO_EDITS)
            }}
          />
        </Suspense>
      )}
      <UnsavedDialog guard={guard} />
    </div>
  )
}
