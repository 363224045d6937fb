import { Button, Stack } from '@mantine/core'
import { type ChannelChange, Limits, parseProxy } from '@tollgate/contract'
import { useState } from 'react'
import { formatExact } from '../../../lib/format/numbers.ts'
import { onValid } from '../../../lib/forms/focus-first-error.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channels.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { mappingRows } from '../form/mapping.ts'
import { type ChannelSelection, useBulkChange } from '../queries.ts'
import { BulkField } from './bulk-field.tsx'
import { BulkPreview } from './bulk-preview.tsx'
import { type BulkAction, type BulkValues, isPlain, NO_VALUES, toChange } from './bulk-values.ts'

interface BulkDialogProps {
  action: BulkAction
  selection: ChannelSelection
  onClose: () => void
  onDone: () => void
}

/** Asks for the values of the change, previews it, and applies it to exactly the previewed channels. */
export function BulkDialog({ action, selection, onClose, onDone }: BulkDialogProps) {
  const text = useText(channelListText)
  const words = useText(channelsText)
  const [values, setValues] = useState(NO_VALUES)
  const [change, setChange] = useState<ChannelChange | undefined>(
    isPlain(action) ? toChange(action, values) : undefined,
  )
  const apply = useBulkChange()
  const next = toChange(action, values)
  const [fault, setFault] = useState('')

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
                  toast.info(text.changedChannels(formatExact(changed)))
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
        onSubmit={onValid(() => {
          const found = faultOf(action, values, words)
          setFault(found)
          if (next !== undefined && found === '') setChange(next)
        })}
      >
        <Stack>
          <BulkField
            action={action}
            values={values}
            error={fault}
            onChange={(typed) => {
              setFault('')
              setValues({ ...values, ...typed })
            }}
          />
          <DialogButtons onCancel={onClose}>
            <Button type="submit" disabled={next === undefined || values.tag.length > Limits.channelTagMax}>
              {text.preview}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The same errors as in the form of a channel, before the server would report them. */
function faultOf(action: BulkAction, { model_mapping, proxy }: BulkValues, text: Words<typeof zh>) {
  if (action === 'add_mapping' && mappingRows(model_mapping) === undefined) return text.badMapping
  return action === 'proxy' && parseProxy(proxy) === undefined ? text.badProxy : ''
}
