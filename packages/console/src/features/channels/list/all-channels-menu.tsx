import { Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ChannelFilter } from '@tollgate/contract'
import { Suspense, useState } from 'react'
import { channelTransferText } from '../../../text/channel-transfer.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { confirm } from '../../../ui/feedback/dialogs.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { RemoveItem } from '../../../ui/inputs/remove-item.tsx'
import {
  IconChevronDown,
  IconCoin,
  IconDownload,
  IconListSearch,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconUpload,
} from '../../../ui/layout/icons.tsx'
import { type TestScope, useRefreshBalances, useRemoveDisabled, useTestMany } from '../queries.ts'
import { ExportDialog, ImportDialog } from '../transfer/lazy-dialogs.ts'

interface AllChannelsMenuProps {
  /** The channels that the list shows. */
  filter: Partial<ChannelFilter>
  onTesting: () => void
}

/** Actions on many channels at once. */
export function AllChannelsMenu({ filter, onTesting }: AllChannelsMenuProps) {
  const [open, setOpen] = useState<'export' | 'import'>()
  const words = useText(channelTransferText)
  const text = useText(channelsText)
  const navigate = useNavigate()
  const test = useTestMany()
  const refresh = useRefreshBalances()
  const remove = useRemoveDisabled()

  const runTest = (scope: TestScope) =>
    test.mutate(scope, {
      onSuccess: (message) => {
        toast.success(message || text.testStarted)
        onTesting()
      },
    })

  const askAndRemove = async () => {
    const yes = await confirm({
      title: text.removeDisabledAsk,
      help: text.removeDisabledHelp,
      confirmLabel: text.removeDisabled,
      danger: true,
    })
    if (yes) remove.mutate(undefined, { onSuccess: (count) => toast.success(text.removedDisabled(count)) })
  }

  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            loading={test.isPending || refresh.isPending || remove.isPending}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {text.all}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => runTest('all')}>
            {text.testAll}
          </Menu.Item>
          <Menu.Item leftSection={<IconPlayerSkipForward size={16} />} onClick={() => runTest('disabled')}>
            {text.testDisabled}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCoin size={16} />}
            onClick={() =>
              refresh.mutate(undefined, { onSuccess: (message) => toast.success(message || text.refreshedAll) })
            }
          >
            {text.refreshAll}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconListSearch size={16} />}
            onClick={() => void navigate({ to: '/channel/models' })}
          >
            {text.modelLists}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => setOpen('export')}>
            {words.export}
          </Menu.Item>
          <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => setOpen('import')}>
            {words.import}
          </Menu.Item>
          <Menu.Divider />
          <RemoveItem onClick={() => void askAndRemove()}>{text.removeDisabled}</RemoveItem>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {open === 'export' && <ExportDialog selection={{ filter }} onClose={() => setOpen(undefined)} />}
        {open === 'import' && <ImportDialog onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  )
}
