import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Channel, Limits } from '@tollgate/contract'
import { channelListText } from '../../../text/channel-list.ts'
import { channelTransferText } from '../../../text/channel-transfer.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { confirm } from '../../../ui/feedback/dialogs.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { RemoveItem } from '../../../ui/inputs/remove-item.tsx'
import { IconButton } from '../../../ui/layout/icon-button.tsx'
import {
  IconBook2,
  IconChartBar,
  IconCopy,
  IconKey,
  IconListSearch,
  IconPencil,
  IconPigMoney,
  IconPlayerPlay,
} from '../../../ui/layout/icons.tsx'
import { RowActions } from '../../../ui/table/row-actions.tsx'
import { bulkPreview, useRemoveChannel, useTestChannel } from '../queries.ts'
import { useCopyChannel } from '../transfer/queries.ts'
import { orphanedText } from './orphaned-text.ts'

/** The suffix of a copy's name has to fit, too. */
const COPY_ROOM = 10

export function ChannelActions({ channel }: { channel: Channel }) {
  const text = useText(channelsText)
  const navigate = useNavigate()
  const remove = useRemoveChannel()
  const test = useTestChannel()
  const copy = useCopyChannel()
  const words = useText(channelTransferText)
  const listText = useText(channelListText)
  const client = useQueryClient()
  const { id, name, test_model } = channel

  const askAndRemove = async () => {
    // If the warnings cannot be fetched, the confirmation is shown anyway.
    const effect = await client.fetchQuery(bulkPreview({ ids: [id] }, { remove: true })).catch(() => undefined)
    const help = [effect && orphanedText(effect, listText), text.removeHelp].filter(Boolean).join(' ')
    const question = { title: text.removeAsk(name), help, confirmLabel: text.remove, danger: true }
    if (await confirm(question)) remove.mutate(id, { onSuccess: () => toast.success(text.removed) })
  }

  const runCopy = () =>
    copy.mutate(
      { id, name: words.copyName(name.slice(0, Limits.channelNameMax - COPY_ROOM)) },
      {
        onSuccess: (made) => {
          toast.success(words.copied(made.name))
          void navigate({ to: '/channel/edit/$id', params: { id: String(made.id) } })
        },
      },
    )

  const runTest = () =>
    test.mutate(
      { id, model: test_model },
      { onSuccess: ({ time, model }) => toast.success(text.tested(name, model, time.toFixed(2))) },
    )

  return (
    <RowActions
      label={text.more(name)}
      menu={
        <>
          <Menu.Item
            leftSection={<IconBook2 size={16} />}
            onClick={() => void navigate({ to: '/log', search: { channel: id } })}
          >
            {text.calls}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconChartBar size={16} />}
            onClick={() => void navigate({ to: '/analytics', search: { channel: id, by: 'model' } })}
          >
            {text.usage}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconKey size={16} />}
            onClick={() => void navigate({ to: '/channel/keys/$id', params: { id: String(id) } })}
          >
            {text.keys}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconListSearch size={16} />}
            onClick={() => void navigate({ to: '/channel/models', search: { channel: id } })}
          >
            {text.modelList}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={runCopy}>
            {words.copy}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPigMoney size={16} />}
            onClick={() => void navigate({ to: '/budget', search: { scope: 'channel', target: String(id) } })}
          >
            {text.budgets}
          </Menu.Item>
          <Menu.Divider />
          <RemoveItem onClick={() => void askAndRemove()}>{text.remove}</RemoveItem>
        </>
      }
    >
      <IconButton label={text.test(name)} loading={test.isPending} onClick={runTest}>
        <IconPlayerPlay size={16} />
      </IconButton>
      <IconButton
        label={text.edit(name)}
        onClick={() => void navigate({ to: '/channel/edit/$id', params: { id: String(id) } })}
      >
        <IconPencil size={16} />
      </IconButton>
    </RowActions>
  )
}
