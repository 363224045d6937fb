import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useHumanCheck, useStatus } from '../../api/status.ts'
import { stored } from '../../lib/browser/storage.ts'
import { useFields } from '../../lib/forms/fields.ts'
import { commonText } from '../../text/common.ts'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTurnstile } from '../../ui/inputs/turnstile.tsx'
import { EmailCodeFields } from './email-code-fields.tsx'
import { useRegister } from './queries.ts'
import { registrationErrors } from './registration-errors.ts'

export function RegisterForm() {
  const text = useText(sessionText)
  const common = useText(commonText)
  const { email_verification } = useStatus()
  const fields = useFields({ username: '', password: '', password2: '', email: '', verification_code: '' })
  const { take, ready, widget } = useTurnstile(useHumanCheck())
  const register = useRegister()
  const navigate = useNavigate()
  const visibility = { 'aria-label': common.show }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!fields.accept(registrationErrors(fields.values, text), event.currentTarget)) return
    const turnstile = take()
    if (turnstile === undefined) return toast.warning(text.turnstileRegister)
    register.mutate(
      { ...fields.values, username: fields.values.username.trim(), aff_code: stored.read('aff'), turnstile },
      {
        onSuccess: ({ aff_ignored }) => {
          toast.success(text.registerDone)
          if (aff_ignored) forgetInvitation()
          void navigate({ to: '/login' })
        },
      },
    )
  }

  /** Otherwise an unknown invitation code would be sent with every registration in this browser. */
  const forgetInvitation = () => {
    stored.remove('aff')
    toast.info(text.invitationGone)
  }

  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label={text.username}
        placeholder={text.usernameHint}
        description={text.usernameRule}
        inputWrapperOrder={ORDER}
        autoComplete="username"
        autoFocus
        {...fields.bind('username')}
      />
      <PasswordInput
        label={text.password}
        placeholder={text.passwordHint}
        description={text.passwordRule}
        inputWrapperOrder={ORDER}
        autoComplete="new-password"
        visibilityToggleButtonProps={visibility}
        {...fields.bind('password')}
      />
      <PasswordInput
        label={text.passwordAgain}
        placeholder={text.passwordAgainHint}
        autoComplete="new-password"
        visibilityToggleButtonProps={visibility}
        {...fields.bind('password2')}
      />
      {email_verification && (
        <EmailCodeFields
          email={fields.bind('email')}
          code={fields.bind('verification_code')}
          takeTurnstile={take}
          ready={ready}
        />
      )}
      {widget}
      <Button type="submit" disabled={!ready} loading={register.isPending} fullWidth>
        {text.register}
      </Button>
    </form>
  )
}

/** Limits and errors are below the field. */
const ORDER = ['label', 'input', 'description', 'error'] as const satisfies string[]
