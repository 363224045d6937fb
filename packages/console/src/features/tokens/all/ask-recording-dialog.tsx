import { Button, Stack, Text } from '@mantine/core'
import type { RecordingMaxima, RecordingSettings, UserToken } from '@tollgate/contract'
import { useState } from 'react'
import { onValid } from '../../../lib/focus-first-error.ts'
import { recordingRequestsText } from '../../../text/recording-requests.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ReasonField } from '../../../ui/inputs/reason-field.tsx'
import { RecordingFields } from '../recording-fields.tsx'
import { useAskRecording } from './queries.ts'

interface AskRecordingDialogProps {
  token: UserToken
  maxima: RecordingMaxima
  onClose: () => void
}

/** What the owner of a key will be asked to agree to, and why. */
export function AskRecordingDialog({ token: { id, name, username }, maxima, onClose }: AskRecordingDialogProps) {
  const text = useText(recordingRequestsText)
  const ask = useAskRecording()
  const [settings, setSettings] = useState<RecordingSettings>({ scope: 'errors', ...maxima })
  const [reason, setReason] = useState('')

  const send = () => {
    const done = () => {
      toast.success(text.sent)
      onClose()
    }
    ask.mutate({ id, settings, reason: reason.trim() }, { onSuccess: done })
  }

  return (
    <Dialog onClose={onClose} title={text.askTitle(name, username)} size="sm">
      <form onSubmit={onValid(send)} noValidate>
        <Stack>
          <Text c="dimmed">{text.askHelp}</Text>
          <ReasonField label={text.reason} placeholder={text.reasonPlaceholder} value={reason} onChange={setReason} />
          <RecordingFields value={settings} onChange={setSettings} maxima={maxima} />
          <DialogButtons onCancel={onClose}>
            <Button type="submit" loading={ask.isPending} disabled={reason.trim() === ''}>
              {text.send}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
