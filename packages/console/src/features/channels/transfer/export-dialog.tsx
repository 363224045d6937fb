import { Button, NativeSelect, Stack, Switch, Text } from '@mantine/core'
import { isRoot, PASSPHRASE_MIN } from '@tollgate/contract'
import { type FormEvent, useState } from 'react'
import { downloadText } from '../../../lib/browser/download.ts'
import { formatExact } from '../../../lib/format/numbers.ts'
import { useSessionUser } from '../../../lib/session/session-user.ts'
import { channelTransferText } from '../../../text/channel-transfer.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import type { ChannelSelection } from '../queries.ts'
import { PassphraseField } from './passphrase-field.tsx'
import { useExportChannels } from './queries.ts'

interface ExportDialogProps {
  selection: ChannelSelection
  onClose: () => void
}

/** Keys are exported only for root, and only encrypted. */
export function ExportDialog({ selection, onClose }: ExportDialogProps) {
  const text = useText(channelTransferText)
  const mayTakeKeys = isRoot(useSessionUser()?.role ?? 0)
  const send = useExportChannels()
  const [format, setFormat] = useState<'json' | 'csv'>('json')
  const [sealed, setSealed] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const withKeys = mayTakeKeys && sealed && format === 'json'

  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(
      { ...selection, format, ...(withKeys && { passphrase }) },
      {
        onSuccess: ({ name, content, count }) => {
          downloadText(name, content)
          toast.info(text.exported(formatExact(count)))
          onClose()
        },
      },
    )
  }

  return (
    <Dialog title={text.export} size="md" onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text c="dimmed" size="sm">
            {text.exportHelp}
          </Text>
          <NativeSelect
            label={text.format}
            value={format}
            data={[
              { value: 'json', label: text.json },
              { value: 'csv', label: text.csv },
            ]}
            onChange={({ currentTarget }) => setFormat(currentTarget.value === 'csv' ? 'csv' : 'json')}
          />
          {mayTakeKeys && format === 'json' && (
            <Switch
              label={text.withSecrets}
              description={text.withSecretsHelp}
              checked={sealed}
              onChange={({ currentTarget }) => setSealed(currentTarget.checked)}
            />
          )}
          {withKeys && (
            <PassphraseField
              label={text.passphrase}
              description={text.passphraseHelp(PASSPHRASE_MIN)}
              autoComplete="new-password"
              value={passphrase}
              onChange={setPassphrase}
            />
          )}
          <DialogButtons onCancel={onClose}>
            <Button type="submit" loading={send.isPending} disabled={withKeys && passphrase.length < PASSPHRASE_MIN}>
              {text.download}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
