import { formatMs } from '../../lib/format/format-ms.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { FoldedList } from '../../ui/layout/folded-list.tsx'
import type { CallDetail } from './call-log.ts'
import { explainRoute } from './explain-route.ts'
import classes from './log-panel.module.css'
import { PanelSection } from './panel-section.tsx'

/** The attempted channels, in order. The final error of the call is shown above. */
export function AttemptsSection({
  attempts,
  callError,
}: {
  attempts: CallDetail['attempts']
  callError: string | undefined
}) {
  const text = useText(logsText).panel
  return (
    <PanelSection title={text.attempts}>
      <ol className={classes.steps}>
        {attempts.map(({ channel, name, status, ms, error, key }, index) => {
          const failed = error !== undefined || status >= 400 || status === 0
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of attempts is what tells them apart, and it is final.
            <li key={index} className={classes.step} data-line data-tone={failed ? 'bad' : 'good'}>
              <div className={classes.stepHead}>
                <span>
                  <bdi>{name}</bdi> <span className={classes.muted}>#{channel}</span>
                  {key !== undefined && <span className={classes.muted}> · {text.keyOf(key)}</span>}
                </span>
                <span className={classes.muted}>
                  {failed ? text.attemptFailed(status === 0 ? '—' : String(status)) : text.attemptOk} · {formatMs(ms)}
                </span>
              </div>
              {error !== undefined && callError?.includes(error) !== true && <p className={classes.error}>{error}</p>}
            </li>
          )
        })}
      </ol>
    </PanelSection>
  )
}

/** The candidates, and why each did or did not answer. */
export function CandidatesSection({ detail }: { detail: CallDetail }) {
  const text = useText(logsText).panel
  return (
    <PanelSection title={text.candidates}>
      <FoldedList
        items={explainRoute(detail)}
        idOf={({ candidate }) => candidate.channel}
        isShown={({ tone }) => tone !== 'off'}
        list={(items) => <ul className={classes.steps}>{items}</ul>}
      >
        {({ candidate, reason, tone }) => (
          <li className={classes.step} data-tone={tone}>
            <div className={classes.stepHead}>
              <span>
                <bdi>{candidate.name}</bdi> <span className={classes.muted}>#{candidate.channel}</span>
              </span>
              <span className={classes.muted}>
                {[
                  candidate.group,
                  candidate.priority !== undefined && text.priority(candidate.priority),
                  candidate.weight !== undefined && text.weight(candidate.weight),
                ]
                  .filter((part) => typeof part === 'string' && part !== '')
                  .join(' · ')}
              </span>
            </div>
            <div className={classes.muted}>{text.routeReasons[reason.kind](reason)}</div>
          </li>
        )}
      </FoldedList>
    </PanelSection>
  )
}
