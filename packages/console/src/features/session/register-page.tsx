import { Alert } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useStatus } from '../../api/status.ts'
import { stored } from '../../lib/browser/storage.ts'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { RegisterForm } from './register-form.tsx'
import { SessionCard } from './session-card.tsx'

const route = getRouteApi('/register')

export function RegisterPage() {
  const text = useText(sessionText)
  const { aff } = route.useSearch()
  const { register, password_register } = useStatus()

  // A visitor with an invitation may look around first; it still counts later.
  useEffect(() => {
    if (aff) stored.write('aff', aff)
  }, [aff])

  return (
    <SessionCard
      title={text.registerTitle}
      below={
        <span>
          {text.hasAccount} <AnchorLink to="/login">{text.goLogin}</AnchorLink>
        </span>
      }
    >
      {!register && <Alert color="blue">{text.registerOff}</Alert>}
      {register && !password_register && <Alert color="blue">{text.passwordRegisterOff}</Alert>}
      {register && password_register && <RegisterForm />}
    </SessionCard>
  )
}
