import { useQuery } from '@tanstack/react-query'
import { ownUser } from '../../api/own-user.ts'
import { defaultPassword } from '../../lib/session/default-password.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { IconAlertTriangle } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import classes from './banners.module.css'

/** Only the first account can have it. The login response says so; a tab that did not see it requests it once. */
export function DefaultPasswordBanner() {
  const text = useText(appText)
  const remembered = defaultPassword.use()
  const self = useQuery({ ...ownUser, enabled: remembered === undefined, staleTime: Number.POSITIVE_INFINITY })
  if (!(remembered ?? self.data?.default_password)) return null
  return (
    <div className={classes.banner} data-tone="bad" role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <span className={classes.text}>
        <strong>{text.defaultPassword}</strong>
        <span className={classes.why}>{text.defaultPasswordWhy}</span>
      </span>
      <ButtonLink to="/user/edit" size="compact-sm" color="red">
        {text.changePassword}
      </ButtonLink>
    </div>
  )
}
