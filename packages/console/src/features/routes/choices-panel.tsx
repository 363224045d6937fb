import { useQuery } from '@tanstack/react-query'
import type { RouteChoice } from '@tollgate/contract'
import { formatMs } from '../../lib/format/format-ms.ts'
import { formatExact } from '../../lib/format/numbers.ts'
import { readersZoneName } from '../../lib/format/zone.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { TimeText } from '../../ui/display/time-text.tsx'
import { FoldedList } from '../../ui/layout/folded-list.tsx'
import { IconBook2 } from '../../ui/layout/icons.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { type RouteQuery, routeChoices } from './queries.ts'
import classes from './routes.module.css'

/** Which channels real calls used, newest first. */
export function ChoicesPanel({ query }: { query: RouteQuery }) {
  const text = useText(routesText)
  const { data: choices } = useQuery(routeChoices(query))
  return (
    <Panel title={text.choices}>
      {choices?.length === 0 && (
        <EmptyState icon={<IconBook2 size={32} stroke={1.5} />} title={text.noChoices} help={text.noChoicesHelp} />
      )}
      {choices !== undefined && choices.length > 0 && (
        <>
          <p className={classes.line}>{text.choicesHelp(readersZoneName())}</p>
          <FoldedList
            items={choices}
            idOf={({ id }) => id}
            list={(items) => (
              <ul className={classes.rows} aria-label={text.choices}>
                {items}
              </ul>
            )}
          >
            {(choice) => <Choice choice={choice} />}
          </FoldedList>
        </>
      )}
    </Panel>
  )
}

function Choice({
  choice: { created_at, request_id, username, considered, attempts, excluded },
}: {
  choice: RouteChoice
}) {
  const text = useText(routesText)
  const steps = attempts.map(({ name, status, ms }) =>
    status >= 400 || status === 0
      ? text.failed(name, status === 0 ? '—' : String(status))
      : text.answered(name, formatMs(ms)),
  )
  return (
    <li className={classes.choice}>
      <span className={classes.muted}>
        <TimeText seconds={created_at} /> · {username}
      </span>
      <span>{steps.length === 0 ? text.nobodyTried : steps.join(' → ')}</span>
      <span className={classes.muted}>
        {text.ofCandidates(formatExact(considered))}
        {excluded.length > 0 && ` · ${text.passedOver(excluded.map(({ name }) => name).join(text.comma))}`}
      </span>
      {request_id !== '' && (
        <AnchorLink to="/log" search={{ request_id, request: request_id }} size="sm">
          {text.showCall}
        </AnchorLink>
      )}
    </li>
  )
}
