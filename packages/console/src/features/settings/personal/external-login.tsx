import { Button, PasswordInput, Switch, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useFields } from '../../../lib/forms/fields.ts'
import { commonText } from '../../../text/common.ts'
import { personalSettingsText } from '../../../text/personal-settings.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { useExternalLogin } from '../queries.ts'

/** Each administrator decides this for their own account. Enabling it requires the password, disabling does not. */
export function ExternalLogin({ on }: { on: boolean }) {
  const text = useText(personalSettingsText)
  const change = useExternalLogin()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Switch
        label={text.external}
        description={text.externalHelp}
        checked={on}
        onChange={() => (on ? change.mutate({ external_login: false }) : setAsking(true))}
      />
      {asking && <ConfirmDialog onClose={() => setAsking(false)} />}
    </>
  )
}

function ConfirmDialog({ onClose }: { onClose: () => void }) {
  const text = useText(personalSettingsText)
  const common = useText(commonText)
  const fields = useFields({ password: '' })
  const change = useExternalLogin()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { password } = fields.values
    if (!fields.accept(password === '' ? { password: common.required } : {}, event.currentTarget)) return
    change.mutate({ external_login: true, current_password: password }, { onSuccess: onClose })
  }

  return (
    <Dialog onClose={onClose} title={text.externalTitle} size="sm">
      <form onSubmit={submit} noValidate>
        <Text mb="sm">{text.externalAsk}</Text>
        <PasswordInput
          label={text.currentPassword}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': common.show }}
          data-autofocus
          {...fields.bind('password')}
        />
        <DialogButtons mt="lg" onCancel={onClose}>
          <Button type="submit" loading={change.isPending}>
            {text.externalOn}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
