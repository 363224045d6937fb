import { Button, PasswordInput, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useFields } from '../../lib/forms/fields.ts'
import { commonText } from '../../text/common.ts'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { useEnter } from './enter.ts'
import { useLogin } from './queries.ts'

export function LoginForm({ from }: { from: string | undefined }) {
  const text = useText(sessionText)
  const common = useText(commonText)
  const fields = useFields({ username: '', password: '' })
  const login = useLogin()
  const enter = useEnter()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { username, password } = fields.values
    const complete = fields.accept(
      {
        ...(username.trim() === '' && { username: text.needUsername }),
        ...(password === '' && { password: text.needPassword }),
      },
      event.currentTarget,
    )
    if (!complete) return
    login.mutate({ username: username.trim(), password }, { onSuccess: (user) => enter(user, from) })
  }

  return (
    <form onSubmit={submit} noValidate>
      <TextInput label={text.usernameOrEmail} autoComplete="username" autoFocus {...fields.bind('username')} />
      <PasswordInput
        label={text.password}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': common.show }}
        {...fields.bind('password')}
      />
      <Button type="submit" loading={login.isPending} fullWidth>
        {text.login}
      </Button>
    </form>
  )
}
