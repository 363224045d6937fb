import { Alert, Button, Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { copy } from '../../ui/feedback/copy.ts'
import { AnchorLink } from '../../ui/layout/links.tsx'
import { useConfirmReset } from './queries.ts'
import { SessionCard } from './session-card.tsx'

const route = getRouteApi('/user/reset')

export function ResetConfirmPage() {
  const text = useText(sessionText)
  const { email = '', token = '' } = route.useSearch()
  const confirm = useConfirmReset()
  const shown = useRef<HTMLInputElement>(null)
  const usable = email !== '' && token !== ''

  // Without clipboard access, the password is shown selected in the field.
  const selectShown = () => setTimeout(() => shown.current?.select())
  const submit = () =>
    confirm.mutate(
      { email, token },
      { onSuccess: (password) => copy(password, { done: text.passwordCopied, manual: selectShown }) },
    )

  return (
    <SessionCard title={text.confirmTitle} below={<AnchorLink to="/login">{text.goLogin}</AnchorLink>}>
      {!usable && <Alert color="yellow">{text.confirmBroken}</Alert>}
      <TextInput label={text.email} value={email} readOnly />
      {confirm.data !== undefined && (
        <>
          <TextInput
            ref={shown}
            label={text.newPassword}
            value={confirm.data}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button
            variant="default"
            onClick={() => void copy(confirm.data, { done: text.passwordCopied, manual: selectShown })}
          >
            {text.copyPassword}
          </Button>
          <Text size="sm" c="dimmed">
            {text.confirmHelp}
          </Text>
        </>
      )}
      <Button disabled={!usable || confirm.isSuccess} loading={confirm.isPending} onClick={submit}>
        {confirm.isSuccess ? text.confirmDone : text.confirmReset}
      </Button>
    </SessionCard>
  )
}
