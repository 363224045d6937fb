import { logTypeLabel, outcomeLabel } from '../../lib/format/labels.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { labelsText } from '../../text/labels.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TimeText } from '../../ui/display/time-text.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { type CallLog, channelNameOf, errorOf } from './call-log.ts'
import classes from './log-panel.module.css'
import { NarrowLink } from './narrow-link.tsx'
import { Fact, PanelSection } from './panel-section.tsx'

interface OverviewProps {
  log: CallLog
  everyone: boolean
  /** A link leads to other entries of the same list. */
  onLeave: () => void
}

export function OverviewSection({ log, everyone, onLeave }: OverviewProps) {
  const text = useText(logsText)
  const labels = useText(labelsText)
  const money = useMoney()
  const { panel } = text
  const { flag, session, status, batch, count = 1, last_at } = log.detail ?? {}
  const isVideo = batch?.id.startsWith('video_') === true
  // Only tasks have ids of digits alone.
  const isTask = /^\d+$/.test(batch?.id ?? '')
  const error = errorOf(log)
  const channel = channelNameOf(log)
  return (
    <PanelSection title={panel.overview}>
      <dl className={classes.facts}>
        <Fact label={text.time}>
          <TimeText seconds={log.created_at} />
        </Fact>
        <Fact label={text.type}>
          <StatusBadge {...logTypeLabel(log.type, labels)} />
        </Fact>
        <Fact label={text.outcome}>{log.outcome !== '' && <StatusBadge {...outcomeLabel(log.outcome, labels)} />}</Fact>
        <Fact label={panel.status}>{status !== undefined && `HTTP ${status}`}</Fact>
        <Fact label={panel.equal}>
          {count > 1 && (
            <>
              {text.times(count)}
              {last_at !== undefined && (
                <>
                  {panel.until} <TimeText seconds={last_at} />
                </>
              )}
            </>
          )}
        </Fact>
        <Fact label={text.requestId}>
          {log.request_id !== '' && (
            <span className={classes.withButton}>
              <span className={classes.mono}>{log.request_id}</span>
              <CopyButton value={log.request_id} label={panel.copyRequestId} />
            </span>
          )}
        </Fact>
        {everyone && (
          <Fact label={text.user}>
            {log.username !== '' && (
              <span className={classes.withButton}>
                <AnchorLink to="/user/edit/$id" params={{ id: String(log.user_id) }} inherit>
                  {log.username}
                </AnchorLink>
                <NarrowLink name={log.username} search={{ username: log.username }} onLeave={onLeave} />
              </span>
            )}
          </Fact>
        )}
        {everyone && (
          <Fact label={text.channel}>
            {log.channel !== 0 && (
              <span className={classes.withButton}>
                <AnchorLink to="/channel/edit/$id" params={{ id: String(log.channel) }} inherit>
                  {channel === undefined ? (
                    panel.channelOf(log.channel)
                  ) : (
                    <>
                      <bdi>{channel}</bdi> #{log.channel}
                    </>
                  )}
                </AnchorLink>
                <NarrowLink
                  name={channel ?? panel.channelOf(log.channel)}
                  search={{ channel: log.channel }}
                  onLeave={onLeave}
                />
              </span>
            )}
          </Fact>
        )}
        <Fact label={text.token}>
          {log.token_name !== '' && (
            <span className={classes.withButton}>
              {everyone ? (
                <AnchorLink to="/token/all" search={{ owner: String(log.user_id), keyword: log.token_name }} inherit>
                  {log.token_name}
                </AnchorLink>
              ) : (
                <AnchorLink to="/token" search={{ keyword: log.token_name }} inherit>
                  {log.token_name}
                </AnchorLink>
              )}
              <NarrowLink
                name={log.token_name}
                // Two users may have tokens of the same name.
                search={{ token_name: log.token_name, ...(everyone && { username: log.username }) }}
                onLeave={onLeave}
              />
            </span>
          )}
        </Fact>
        <Fact label={text.model}>
          {log.model_name !== '' && (
            <span className={classes.withButton}>
              <span className={classes.mono}>{log.model_name}</span>
              <NarrowLink name={log.model_name} search={{ model_name: log.model_name }} onLeave={onLeave} />
            </span>
          )}
        </Fact>
        <Fact label={panel.requestedModel}>
          {log.detail?.requested_model && <span className={classes.mono}>{log.detail.requested_model}</span>}
        </Fact>
        <Fact label={panel.stream}>{log.elapsed_time > 0 && (log.is_stream ? panel.streamed : panel.whole)}</Fact>
        <Fact label={panel.ending}>{flag && flag !== PASSED_ON && (flagsOf(panel.flags)[flag] ?? flag)}</Fact>
        <Fact label={text.session}>
          {session !== undefined && (
            <>
              <span className={classes.mono}>{session}</span>
              <br />
              <AnchorLink
                to="/log"
                // Two users may have sessions of the same name.
                search={{ session, ...(everyone && { username: log.username }) }}
                onClick={onLeave}
                inherit
              >
                {panel.sessionCalls}
              </AnchorLink>
            </>
          )}
        </Fact>
        <Fact label={panel.batch}>
          {batch !== undefined && !isVideo && !isTask && panel.batchEnd(batch.answered, batch.requests, batch.status)}
        </Fact>
        <Fact label={panel.video}>{isVideo && batch?.status}</Fact>
        <Fact label={panel.task}>{isTask && batch?.status}</Fact>
        <Fact label={panel.droppedTools}>{log.detail?.dropped_tools?.join(', ')}</Fact>
        <Fact label={panel.droppedParameters}>{log.detail?.dropped_parameters?.join(', ')}</Fact>
        <Fact label={text.quota}>{log.quota !== 0 && money.explained(log.quota)}</Fact>
      </dl>
      {log.detail?.reason !== undefined && <p className={classes.error}>{log.detail.reason}</p>}
      {error !== undefined && <p className={classes.error}>{error}</p>}
    </PanelSection>
  )
}

/** The flag of a call that was passed on as it was, which says nothing about its end. */
const PASSED_ON = 'proxy'

/** Known names have labels; others are shown as they are. */
const flagsOf = (flags: Record<string, string>): Readonly<Record<string, string | undefined>> => flags
