import { Text } from '@mantine/core'
import type { RateLimit } from '@tollgate/contract'
import { useState } from 'react'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { useText } from '../../../text/text.ts'
import { FormDialog } from '../../../ui/feedback/form-dialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { LimitAmounts } from '../../../ui/limits/limit-amounts.tsx'
import { useChangeKeys } from './queries.ts'

interface KeyLimitsProps {
  channel: number
  title: string
  ids: number[]
  initial: RateLimit
  onClose: () => void
}

export function KeyLimitsDialog({ channel, title, ids, initial, onClose }: KeyLimitsProps) {
  const text = useText(channelKeysText)
  const [rate_limits, setLimits] = useState(initial)
  const change = useChangeKeys(channel)
  const save = () => {
    change.mutate(
      { ids, rate_limits },
      {
        onSuccess: (count) => {
          toast.info(text.saved(formatExact(count)))
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog title={title} size="lg" save={text.save} onSave={save} saving={change.isPending} onClose={onClose}>
      <Text size="sm" c="dimmed">
        {text.editHelp}
      </Text>
      <LimitAmounts value={rate_limits} onChange={setLimits} />
    </FormDialog>
  )
}
