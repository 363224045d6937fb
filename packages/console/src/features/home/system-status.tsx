import { useStatus } from '../../api/status.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { TimeText } from '../../ui/display/time-text.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import classes from './home-page.module.css'

/** Version, uptime, and enabled sign-in methods. */
export function SystemStatus() {
  const text = useText(homeText)
  const status = useStatus()
  const methods = [
    status.password_login && text.password,
    status.github_oauth && 'GitHub',
    status.wechat_login && text.wechat,
    status.lark_client_id !== '' && text.lark,
  ].filter((way) => way !== false)
  return (
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
        {methods.length > 0 && (
          <>
            <dt>{text.ways}</dt>
            <dd>{methods.join(text.comma)}</dd>
          </>
        )}
      </dl>
    </Panel>
  )
}
