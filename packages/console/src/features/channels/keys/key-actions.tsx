import { Menu } from '@mantine/core'
import { type ChannelKey, ChannelKeyStatus, warnings } from '@tollgate/contract'
import { call } from '../../../api/call.ts'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { useContractText } from '../../../text/contract-text.ts'
import { useText } from '../../../text/text.ts'
import { confirm } from '../../../ui/feedback/dialogs.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useWarned } from '../../../ui/feedback/use-warned.ts'
import { RemoveItem } from '../../../ui/inputs/remove-item.tsx'
import { IconButton } from '../../../ui/layout/icon-button.tsx'
import { IconPlayerPlay } from '../../../ui/layout/icons.tsx'
import { RowActions } from '../../../ui/table/row-actions.tsx'
import { useChangeKeys, useRemoveKey, useTestKey } from './queries.ts'

interface KeyActionsProps {
  channel: number
  apiKey: ChannelKey
  onLimits: () => void
}

export function KeyActions({ channel, apiKey, onLimits }: KeyActionsProps) {
  const text = useText(channelKeysText)
  const test = useTestKey(channel)
  const change = useChangeKeys(channel)
  const remove = useRemoveKey(channel)
  const { id, key_hint: hint, status } = apiKey
  const isEnabled = status === ChannelKeyStatus.enabled
  const inLanguage = useContractText()
  const { warned } = useWarned()
  const warningsWithout = () => call(warnings.channelKeys, { params: { id: channel }, body: { ids: [id] } })

  const toggle = () => {
    if (!isEnabled) return change.mutate({ ids: [id], status: ChannelKeyStatus.enabled })
    warned({
      ask: warningsWithout,
      save: () => change.mutate({ ids: [id], status: ChannelKeyStatus.paused }),
      question: { title: text.pauseAsk('1'), confirmLabel: text.pause },
    })
  }

  const askAndRemove = async () => {
    // If the warnings cannot be fetched, the confirmation is shown anyway.
    const found = isEnabled ? await warningsWithout().catch(() => []) : []
    const help = [...found.map(inLanguage), text.removeHelp].join('\n')
    const question = { title: text.removeAsk(hint), help, confirmLabel: text.remove, danger: true }
    if (await confirm(question)) remove.mutate(id, { onSuccess: () => toast.success(text.removed) })
  }

  const runTest = () =>
    test.mutate(id, {
      onSuccess: ({ time, model }) => toast.success(text.tested(hint, model, time.toFixed(2))),
    })

  return (
    <RowActions
      label={text.more(hint)}
      menu={
        <>
          <Menu.Item aria-label={isEnabled ? text.pauseOf(hint) : text.enableOf(hint)} onClick={toggle}>
            {isEnabled ? text.pause : text.enable}
          </Menu.Item>
          <Menu.Item onClick={onLimits}>{text.edit}</Menu.Item>
          <Menu.Divider />
          <RemoveItem onClick={() => void askAndRemove()}>{text.remove}</RemoveItem>
        </>
      }
    >
      <IconButton label={text.test(hint)} loading={test.isPending} onClick={runTest}>
        <IconPlayerPlay size={16} />
      </IconButton>
    </RowActions>
  )
}
