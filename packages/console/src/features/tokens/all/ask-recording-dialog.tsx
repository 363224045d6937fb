import { Text } from '@mantine/core'
import type { RecordingMaxima, RecordingSettings, UserToken } from '@tollgate/contract'
import { useState } from 'react'
import { recordingRequestsText } from '../../../text/recording-requests.ts'
import { useText } from '../../../text/text.ts'
import { FormDialog } from '../../../ui/feedback/form-dialog.tsx'
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
    <FormDialog
      title={text.askTitle(name, username)}
      size="sm"
      save={text.send}
      onSave={send}
      saving={ask.isPending}
      disabled={reason.trim() === ''}
      onClose={onClose}
    >
      <Text c="dimmed">{text.askHelp}</Text>
      <ReasonField label={text.reason} placeholder={text.reasonPlaceholder} value={reason} onChange={setReason} />
      <RecordingFields value={settings} onChange={setSettings} maxima={maxima} />
    </FormDialog>
  )
}
