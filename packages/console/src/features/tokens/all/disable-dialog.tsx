import { Button, Text } from '@mantine/core'
import type { UserToken } from '@tollgate/contract'
import { type FormEvent, useState } from 'react'
import { useText } from '../../../text/text.ts'
import { userTokensText } from '../../../text/user-tokens.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ReasonField } from '../../../ui/inputs/reason-field.tsx'
import { useManageToken } from './queries.ts'

interface DisableDialogProps {
  token: UserToken
  onClose: () => void
}

/** Asks for the reason, which is required. */
export function DisableDialog({ token: { id, name, username }, onClose }: DisableDialogProps) {
  const text = useText(userTokensText)
  const manage = useManageToken()
  const [reason, setReason] = useState('')

  const send = (event: FormEvent) => {
    event.preventDefault()
    const done = () => {
      toast.success(text.disabled)
      onClose()
    }
    manage.mutate({ id, action: 'disable', reason: reason.trim() }, { onSuccess: done })
  }

  return (
    <Dialog onClose={onClose} title={text.disableAsk(name, username)} size="sm">
      <form onSubmit={send}>
        <Text c="dimmed">{text.disableHelp}</Text>
        <ReasonField
          mt="md"
          label={text.reason}
          placeholder={text.reasonPlaceholder}
          value={reason}
          onChange={setReason}
        />
        <DialogButtons mt="lg" onCancel={onClose}>
          <Button type="submit" color="red" loading={manage.isPending} disabled={reason.trim() === ''}>
            {text.disable}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
