import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { type CallLog, errorOf } from './call-log.ts'
import { CostSection } from './cost-section.tsx'
import classes from './log-panel.module.css'
import { OverviewSection } from './overview-section.tsx'
import { PanelSection } from './panel-section.tsx'
import { RecordingSection } from './recording-section.tsx'
import { AttemptsSection, CandidatesSection } from './route-sections.tsx'
import { SidePanel } from './side-panel.tsx'
import { TimingSection } from './timing-section.tsx'

interface LogPanelProps {
  log: CallLog
  /** Channels are visible to operators only. */
  everyone: boolean
  onClose: () => void
}

/** All details of one entry. */
export function LogPanel({ log, everyone, onClose }: LogPanelProps) {
  const text = useText(logsText).panel
  const { detail } = log
  const error = errorOf(log)
  return (
    <SidePanel title={text.title} size={460} onClose={onClose}>
      <OverviewSection log={log} everyone={everyone} onLeave={onClose} />
      {/* The note of a failed call is its error again, which stands above. */}
      {log.content !== '' && (error === undefined || !log.content.includes(error)) && (
        <PanelSection title={text.content}>
          <p className={classes.content}>{log.content}</p>
        </PanelSection>
      )}
      {log.elapsed_time > 0 && <TimingSection log={log} />}
      <CostSection log={log} everyone={everyone} />
      {everyone && detail && detail.attempts.length > 0 && (
        <AttemptsSection attempts={detail.attempts} callError={error} />
      )}
      {everyone && detail && detail.candidates.length > 0 && <CandidatesSection detail={detail} />}
      {/* Last, because it can be longer than all the rest. */}
      {detail?.recorded && <RecordingSection log={log} everyone={everyone} />}
    </SidePanel>
  )
}
