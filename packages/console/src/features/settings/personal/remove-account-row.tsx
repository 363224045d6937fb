import { Alert, Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useFields } from '../../../lib/forms/fields.ts'
import { forgetUser } from '../../../lib/session/session-user.ts'
import { personalSettingsText } from '../../../text/personal-settings.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { useRemoveSelf } from '../queries.ts'
import { SettingRow } from '../setting-row.tsx'

export function RemoveAccountRow({ username }: { username: string }) {
  const text = useText(personalSettingsText)
  const [asking, setAsking] = useState(false)
  return (
    <SettingRow title={text.remove} note={text.removeHelp}>
      <Button variant="light" color="red" onClick={() => setAsking(true)}>
        {text.remove}
      </Button>
      {asking && <RemoveAccountDialog username={username} onClose={() => setAsking(false)} />}
    </SettingRow>
  )
}

/** Asks for the username, which nobody types by accident. */
function RemoveAccountDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const text = useText(personalSettingsText)
  const fields = useFields({ name: '' })
  const remove = useRemoveSelf()
  const gone = useGone()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const same = fields.values.name === username
    if (!fields.accept(same ? {} : { name: text.removeMismatch }, event.currentTarget)) return
    remove.mutate(undefined, { onSuccess: gone })
  }

  return (
    <Dialog onClose={onClose} title={text.removeTitle} size="sm">
      <form onSubmit={submit} noValidate>
        <Alert color="red" mb="sm">
          {text.removeText}
        </Alert>
        <TextInput
          label={text.removeInput(username)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...fields.bind('name')}
        />
        <DialogButtons mt="lg" onCancel={onClose}>
          <Button type="submit" color="red" loading={remove.isPending}>
            {text.removeConfirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function useGone() {
  const text = useText(personalSettingsText)
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    forgetUser()
    toast.success(text.removed)
    await navigate({ to: '/login', ignoreBlocker: true })
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' })
  }
}
