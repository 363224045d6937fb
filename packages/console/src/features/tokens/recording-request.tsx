import { Button, Group, Stack, Text } from '@mantine/core'
import type { Token } from '@tollgate/contract'
import { useState } from 'react'
import { recordingRequestsText } from '../../text/recording-requests.ts'
import { recordingsText } from '../../text/recordings.ts'
import { useText } from '../../text/text.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useAnswerRecording } from './queries.ts'

/** Shown to the owner of a key while an administrator waits for an answer. */
export function RecordingRequestMark({ token }: { token: Token }) {
  const text = useText(recordingRequestsText)
  const [isOpen, setIsOpen] = useState(false)
  const { name, recording_request: request } = token
  if (request === null || request.declined) return null
  return (
    <>
      <Button
        size="compact-xs"
        variant="light"
        color="yellow"
        aria-label={text.askedOf(name)}
        onClick={() => setIsOpen(true)}
      >
        {text.asked}
      </Button>
      {isOpen && <RecordingRequestDialog token={token} request={request} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface RecordingRequestDialogProps {
  token: Token
  request: NonNullable<Token['recording_request']>
  onClose: () => void
}

/** Shows everything that would be recorded, and takes consent to exactly that. */
function RecordingRequestDialog({ token: { id, name }, request, onClose }: RecordingRequestDialogProps) {
  const text = useText(recordingRequestsText)
  const words = useText(recordingsText)
  const answer = useAnswerRecording()
  const { settings, reason } = request

  const send = (agree: boolean) =>
    answer.mutate(
      { id, agree, settings },
      {
        onSuccess: () => {
          toast.success(agree ? text.agreed : text.refused)
          onClose()
        },
      },
    )

  return (
    <Dialog onClose={onClose} title={text.title(name)} size="sm">
      <Stack gap="xs">
        <Text>{text.because(reason)}</Text>
        <Text>
          {text.which[settings.scope]} · {text.share(settings.share)}
        </Text>
        <Text c="dimmed">{words.kept(settings.days, settings.size)}</Text>
        <Text c="dimmed">{words.readers}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus loading={answer.isPending} onClick={() => send(false)}>
            {text.decline}
          </Button>
          <Button loading={answer.isPending} onClick={() => send(true)}>
            {text.agree}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
