import { Button, Stack, Text } from '@mantine/core'
import type { RateLimit } from '@tollgate/contract'
import { useState } from 'react'
import { onValid } from '../../../lib/focus-first-error.ts'
import { formatExact } from '../../../lib/numbers.ts'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
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
          toast.success(text.saved(formatExact(count)))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={title} size="lg" onClose={onClose}>
      <form noValidate onSubmit={onValid(save)}>
        <Stack>
          <Text size="sm" c="dimmed">
            {text.editHelp}
          </Text>
          <LimitAmounts value={rate_limits} onChange={setLimits} />
          <DialogButtons onCancel={onClose}>
            <Button type="submit" loading={change.isPending}>
              {text.save}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
