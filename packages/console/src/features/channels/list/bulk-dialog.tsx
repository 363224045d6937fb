import { Button, Group, Stack } from '@mantine/core'
import { type ChannelChange, Limits } from '@tollgate/contract'
import { type FormEvent, useState } from 'react'
import { formatExact } from '../../../lib/numbers.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { type ChannelSelection, useBulkChange } from '../queries.ts'
import { BulkField } from './bulk-field.tsx'
import { BulkPreview } from './bulk-preview.tsx'
import { type BulkAction, isPlain, toChange } from './bulk-values.ts'

interface BulkDialogProps {
  action: BulkAction
  selection: ChannelSelection
  onClose: () => void
  onDone: () => void
}

/** What is needed for the change, then what it does, then the change itself, on exactly the channels that were shown. */
export function BulkDialog({ action, selection, onClose, onDone }: BulkDialogProps) {
  const text = useText(channelListText)
  const common = useText(commonText)
  const [values, setValues] = useState({ list: [] as string[], number: '' as number | '', tag: '' })
  const [change, setChange] = useState<ChannelChange | undefined>(
    isPlain(action) ? toChange(action, values) : undefined,
  )
  const apply = useBulkChange()
  const next = toChange(action, values)

  if (change !== undefined) {
    return (
      <Dialog title={text.actions[action]} size="lg" onClose={onClose}>
        <BulkPreview
          selection={selection}
          change={change}
          danger={action === 'remove'}
          busy={apply.isPending}
          onBack={isPlain(action) ? onClose : () => setChange(undefined)}
          onApply={(ids) =>
            apply.mutate(
              { ids, change },
              {
                onSuccess: ({ changed }) => {
                  toast.success(text.changedChannels(formatExact(changed)))
                  onDone()
                },
              },
            )
          }
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={text.actions[action]} size="md" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          if (next !== undefined) setChange(next)
        }}
      >
        <Stack>
          <BulkField action={action} values={values} onChange={(typed) => setValues({ ...values, ...typed })} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" disabled={next === undefined || values.tag.length > Limits.channelTagMax}>
              {text.preview}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
