import { Button } from '@mantine/core'
import { CHANNEL_KEYS_AT_ONCE, ChannelKeyStatus, warnings } from '@tollgate/contract'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { formatExact } from '../../../lib/numbers.ts'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { useText } from '../../../text/text.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useWarned } from '../../../ui/feedback/use-warned.ts'
import { SelectionBar } from '../../../ui/table/selection-bar.tsx'
import { KeyLimitsDialog } from './key-limits-dialog.tsx'
import { useChangeKeys } from './queries.ts'

interface KeysBarProps {
  channel: number
  ids: number[]
  onClear: () => void
}

/** Actions on the selected keys. */
export function KeysBar({ channel, ids, onClear }: KeysBarProps) {
  const text = useText(channelKeysText)
  const change = useChangeKeys(channel)
  const { warned } = useWarned()
  const [limiting, setLimiting] = useState(false)
  const isTooMany = ids.length > CHANNEL_KEYS_AT_ONCE
  const become = (status: 1 | 2) =>
    change.mutate(
      { ids, status },
      {
        onSuccess: (count) => {
          toast.success(text.saved(formatExact(count)))
          onClear()
        },
      },
    )
  const pause = () =>
    warned({
      ask: () => call(warnings.channelKeys, { params: { id: channel }, body: { ids } }),
      save: () => become(ChannelKeyStatus.paused),
      question: { title: text.pauseAsk(formatExact(ids.length)), confirmLabel: text.pause },
    })
  return (
    <SelectionBar
      label={text.bulk}
      selected={text.selected(formatExact(ids.length))}
      selectNone={text.selectNone}
      onClear={onClear}
    >
      <Button size="xs" variant="default" disabled={isTooMany} onClick={() => become(ChannelKeyStatus.enabled)}>
        {text.enable}
      </Button>
      <Button size="xs" variant="default" disabled={isTooMany} onClick={pause}>
        {text.pause}
      </Button>
      <Button size="xs" disabled={isTooMany} onClick={() => setLimiting(true)}>
        {text.edit}
      </Button>
      {limiting && (
        <KeyLimitsDialog
          channel={channel}
          title={text.editMany(formatExact(ids.length))}
          ids={ids}
          initial={{}}
          onClose={() => setLimiting(false)}
        />
      )}
    </SelectionBar>
  )
}
