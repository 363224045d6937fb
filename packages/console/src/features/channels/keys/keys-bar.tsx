import { Button } from '@mantine/core'
import { CHANNEL_KEYS_AT_ONCE, ChannelKeyStatus, warnings } from '@tollgate/contract'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { useContractText } from '../../../text/contract-text.ts'
import { useText } from '../../../text/text.ts'
import { confirm } from '../../../ui/feedback/dialogs.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useWarned } from '../../../ui/feedback/use-warned.ts'
import { SelectionBar } from '../../../ui/table/selection-bar.tsx'
import { KeyLimitsDialog } from './key-limits-dialog.tsx'
import { useChangeKeys, useRemoveKeys } from './queries.ts'

interface KeysBarProps {
  channel: number
  ids: number[]
  onClear: () => void
}

/** Actions on the selected keys. */
export function KeysBar({ channel, ids, onClear }: KeysBarProps) {
  const text = useText(channelKeysText)
  const change = useChangeKeys(channel)
  const remove = useRemoveKeys(channel)
  const { warned } = useWarned()
  const inLanguage = useContractText()
  const [limiting, setLimiting] = useState(false)
  const isTooMany = ids.length > CHANNEL_KEYS_AT_ONCE
  const become = (status: 1 | 2) =>
    change.mutate(
      { ids, status },
      {
        onSuccess: (count) => {
          toast.info(text.saved(formatExact(count)))
          onClear()
        },
      },
    )
  const warningsWithout = () => call(warnings.channelKeys, { params: { id: channel }, body: { ids } })
  const askAndRemove = async () => {
    // If the warnings cannot be fetched, the confirmation is shown anyway.
    const found = await warningsWithout().catch(() => [])
    const help = [...found.map(inLanguage), text.removeHelp].join('\n')
    const title = text.removeManyAsk(formatExact(ids.length))
    if (!(await confirm({ title, help, confirmLabel: text.removeMany, danger: true }))) return
    const done = (count: number) => {
      toast.info(text.removedSetAside(formatExact(count)))
      onClear()
    }
    remove.mutate(ids, { onSuccess: done })
  }
  const pause = () =>
    warned({
      ask: warningsWithout,
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
      <Button
        size="xs"
        variant="default"
        c="var(--mantine-color-error)"
        disabled={isTooMany}
        loading={remove.isPending}
        onClick={() => void askAndRemove()}
      >
        {text.removeMany}
      </Button>
      {isTooMany && <span>{text.tooMany(formatExact(CHANNEL_KEYS_AT_ONCE))}</span>}
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
