import { useStatus } from '../../api/status.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './home-page.module.css'

/** Which system this is, since when it runs, and how one can get in. */
export function SystemStatus() {
  const text = useText(homeText)
  const status = useStatus()
  const ways = [
    { label: text.emailVerification, on: status.email_verification },
    { label: text.github, on: status.github_oauth },
    { label: text.wechat, on: status.wechat_login },
    { label: text.turnstile, on: status.turnstile_check },
  ]
  return (
    <div className={classes.columns}>
      <Panel title={text.systemInfo}>
        <dl className={classes.facts}>
          <dt>{text.name}</dt>
          <dd>{status.system_name}</dd>
          <dt>{text.version}</dt>
          <dd>{status.version || text.versionUnknown}</dd>
          <dt>{text.startTime}</dt>
          <dd>
            <TimeText seconds={status.start_time} />
          </dd>
        </dl>
      </Panel>
      <Panel title={text.systemConfig}>
        <dl className={classes.facts}>
          {ways.map(({ label, on }) => (
            <Way key={label} label={label} on={on} />
          ))}
        </dl>
      </Panel>
    </div>
  )
}

function Way({ label, on }: { label: string; on: boolean }) {
  const text = useText(homeText)
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <StatusBadge tone={on ? 'good' : 'off'} text={on ? text.on : text.off} />
      </dd>
    </>
  )
}
