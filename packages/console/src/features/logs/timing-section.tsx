import { formatMs } from '../../lib/format/format-ms.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import type { CallLog } from './call-log.ts'
import classes from './log-panel.module.css'
import { Fact, PanelSection } from './panel-section.tsx'

/** The duration of the call, and the time to its first byte. */
export function TimingSection({ log }: { log: CallLog }) {
  const text = useText(logsText).panel
  const { elapsed_time, first_byte_time } = log
  return (
    <PanelSection title={text.timing}>
      <dl className={classes.facts}>
        <Fact label={text.firstByte}>{first_byte_time > 0 && formatMs(first_byte_time)}</Fact>
        <Fact label={text.elapsed}>{formatMs(elapsed_time)}</Fact>
      </dl>
      {first_byte_time > 0 && (
        <div className={classes.bar} aria-hidden>
          <div
            className={classes.barFirst}
            style={{ width: `${Math.min(100, (first_byte_time / elapsed_time) * 100)}%` }}
          />
        </div>
      )}
    </PanelSection>
  )
}
