import type { RouteView } from '@tollgate/contract'
import { formatExact } from '../../lib/format/numbers.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { FoldedList } from '../../ui/layout/folded-list.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import classes from './routes.module.css'

/** Channels that have the model and get none of its calls, and why. */
export function LeftOut({ view: { left_out, others, fallbacks } }: { view: RouteView }) {
  const text = useText(routesText)
  return (
    <Panel title={text.leftOut}>
      {left_out.length === 0 && <p className={classes.line}>{text.nobodyLeftOut}</p>}
      {left_out.length > 0 && (
        <FoldedList
          items={left_out}
          idOf={({ channel }) => channel}
          list={(items) => <ul className={classes.rows}>{items}</ul>}
        >
          {({ channel, name, reason, groups }) => (
            <li>
              <AnchorLink to="/channel/edit/$id" params={{ id: String(channel) }} inherit>
                {name}
              </AnchorLink>{' '}
              <span className={classes.muted}>
                #{channel} · {text.reasons[reason]}
                {reason === 'other_group' && ` · ${text.openTo(groups.join(text.comma))}`}
              </span>
            </li>
          )}
        </FoldedList>
      )}
      {others > 0 && <p className={classes.line}>{text.others(formatExact(others))}</p>}
      {fallbacks.length > 0 && <p className={classes.line}>{text.fallbacks(fallbacks.join(text.comma))}</p>}
      <p className={classes.line}>{text.perNode}</p>
    </Panel>
  )
}
