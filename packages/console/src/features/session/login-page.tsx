import { Alert } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useStatus } from '../../api/status.ts'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { IconClockExclamation } from '../../ui/layout/icons.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { ExternalSignIn } from './external-sign-in.tsx'
import { LoginForm } from './login-form.tsx'
import { SessionCard } from './session-card.tsx'

const route = getRouteApi('/login')

export function LoginPage() {
  const text = useText(sessionText)
  const { expired, from } = route.useSearch()
  const { password_login, register } = useStatus()
  return (
    <SessionCard
      title={text.loginTitle}
      below={
        <>
          <span>
            {text.forgot} <AnchorLink to="/reset">{text.goReset}</AnchorLink>
          </span>
          {register && (
            <span>
              {text.noAccount} <AnchorLink to="/register">{text.goRegister}</AnchorLink>
            </span>
          )}
        </>
      }
    >
      {expired !== undefined && (
        <Alert color="yellow" icon={<IconClockExclamation size={18} />} role="alert">
          {text.expired}
        </Alert>
      )}
      {password_login ? <LoginForm from={from} /> : <Alert color="blue">{text.passwordLoginOff}</Alert>}
      <ExternalSignIn />
    </SessionCard>
  )
}
