import { stripTrailingSlash } from '@tollgate/contract'
import { useStatus } from '../../../api/status.ts'
import { optionsText } from '../../../text/options.ts'
import { useText } from '../../../text/text.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import classes from '../settings.module.css'

/** The redirect URL to configure at a third party. */
export function CallbackAddress({ path }: { path: string }) {
  const text = useText(optionsText)
  const { server_address } = useStatus()
  const address = `${stripTrailingSlash(server_address || window.location.origin)}${path}`
  return (
    <div className={classes.callback}>
      <span>{text.callback}</span>
      <code>{address}</code>
      <CopyButton value={address} label={text.copyCallback} />
    </div>
  )
}
