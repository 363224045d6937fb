import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { isRoot } from '@tollgate/contract'
import { ownUser } from '../../api/own-user.ts'
import { useStatus, useStatusKnown } from '../../api/status.ts'
import { defaultPassword } from '../../lib/default-password.ts'
import { useSessionUser } from '../../lib/session-user.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { versionsDiffer } from '../versions-differ.ts'
import classes from './banners.module.css'

/** What has to be seen on every page until it is settled. */
export function Banners() {
  const text = useText(appText)
  const standing = useDefaultPassword()
  const { version } = useStatus()
  const known = useStatusKnown()
  return (
    <>
      {standing && (
        <Alert
          className={classes.banner}
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title={text.defaultPassword}
        >
          {text.defaultPasswordWhy}{' '}
          <ButtonLink to="/user/edit" size="compact-sm" color="red" variant="light" ml={8}>
            {text.changePassword}
          </ButtonLink>
        </Alert>
      )}
      {known && versionsDiffer(version, __CONSOLE_VERSION__) && (
        <Alert className={classes.banner} color="blue" icon={<IconRefresh size={18} />}>
          {text.versionDiffers(version, __CONSOLE_VERSION__)}{' '}
          <Button size="compact-sm" variant="light" ml={8} onClick={() => window.location.reload()}>
            {text.reload}
          </Button>
        </Alert>
      )}
    </>
  )
}

/** Only the first account can have it. The login says so; a tab that did not see the login asks once. */
function useDefaultPassword() {
  const user = useSessionUser()
  const remembered = defaultPassword.use()
  const root = user !== undefined && isRoot(user.role)
  const self = useQuery({ ...ownUser, enabled: root && remembered === undefined, staleTime: Number.POSITIVE_INFINITY })
  return root && (remembered ?? self.data?.default_password ?? false)
}
