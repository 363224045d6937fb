import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { FormEvent, MouseEvent } from 'react'
import { useHumanCheck } from '../../../api/status.ts'
import { useCountdown } from '../../../lib/browser/countdown.ts'
import { useFields } from '../../../lib/forms/fields.ts'
import { personalSettingsText } from '../../../text/personal-settings.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { useTurnstile } from '../../../ui/inputs/turnstile.tsx'
import { useBindEmail, useSendCode } from '../queries.ts'

/** An address, its verification code, and the button that sends the code. */
export function BindEmailDialog({ onClose }: { onClose: () => void }) {
  const text = useText(personalSettingsText).bind
  const { take, ready, widget } = useTurnstile(useHumanCheck())
  const fields = useFields({ email: '', code: '' })
  const { left, start } = useCountdown()
  const send = useSendCode()
  const bind = useBindEmail()
  const email = fields.values.email.trim()
  const code = fields.values.code.trim()
  const noEmail = email === '' && { email: text.needEmail }

  const sendCode = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (currentTarget.form === null || !fields.accept({ ...noEmail }, currentTarget.form)) return
    const turnstile = take()
    if (turnstile === undefined) return toast.warning(text.turnstile)
    start()
    send.mutate({ email, turnstile }, { onSuccess: () => toast.success(text.sent) })
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const missing = { ...noEmail, ...(code === '' && { code: text.needCode }) }
    if (!fields.accept(missing, event.currentTarget)) return
    bind.mutate(
      { email, code },
      {
        onSuccess: () => {
          toast.success(text.emailDone)
          onClose()
        },
      },
    )
  }

  return (
    <Dialog onClose={onClose} title={text.emailDo} size="sm">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            label={text.emailAddress}
            type="email"
            autoComplete="email"
            data-autofocus
            {...fields.bind('email')}
          />
          {widget}
          <Group gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={text.code}
              placeholder={text.code}
              autoComplete="one-time-code"
              {...fields.bind('code')}
            />
            <Button variant="default" disabled={left > 0 || !ready} loading={send.isPending} onClick={sendCode}>
              {left > 0 ? text.resend(left) : text.send}
            </Button>
          </Group>
          <DialogButtons mt="xs" onCancel={onClose}>
            <Button type="submit" loading={bind.isPending}>
              {text.confirm}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
