import { Fieldset, Textarea } from '@mantine/core'
import { channelType, type RateLimit } from '@tollgate/contract'
import { useState } from 'react'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { FormDialog } from '../../../ui/feedback/form-dialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { LimitAmounts } from '../../../ui/limits/limit-amounts.tsx'
import { useAddKeys } from './queries.ts'

interface AddKeysProps {
  channel: { id: number; type: number }
  onClose: () => void
}

/** Keys, one per line, and the limits for each of them. */
export function AddKeysDialog({ channel: { id, type }, onClose }: AddKeysProps) {
  const text = useText(channelKeysText)
  const words = useText(channelsText)
  const [key, setKey] = useState('')
  const [rate_limits, setLimits] = useState<RateLimit>({})
  const add = useAddKeys(id)
  const format = channelType(type)?.keyFormat
  const save = () => {
    add.mutate(
      { key, rate_limits },
      {
        onSuccess: ({ added, skipped }) => {
          toast.notice(text.added(formatExact(added), formatExact(skipped)))
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title={text.add}
      size="lg"
      save={text.add}
      onSave={save}
      saving={add.isPending}
      disabled={key.trim() === ''}
      onClose={onClose}
    >
      <Textarea
        label={words.key}
        description={format === undefined ? text.addHelp : `${words.keyFormat(format)} · ${text.addHelp}`}
        placeholder={format ?? words.keyPlaceholder}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <Fieldset legend={text.addLimits}>
        <LimitAmounts value={rate_limits} onChange={setLimits} />
      </Fieldset>
    </FormDialog>
  )
}
