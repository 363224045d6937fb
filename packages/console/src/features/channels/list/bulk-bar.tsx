import { Button, Menu } from '@mantine/core'
import { isRoot } from '@tollgate/contract'
import { Suspense, useState } from 'react'
import { formatExact } from '../../../lib/format/numbers.ts'
import { useSessionUser } from '../../../lib/session/session-user.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { channelTransferText } from '../../../text/channel-transfer.ts'
import { useText } from '../../../text/text.ts'
import { RemoveItem } from '../../../ui/inputs/remove-item.tsx'
import { IconChevronDown } from '../../../ui/layout/icons.tsx'
import { SelectionBar } from '../../../ui/table/selection-bar.tsx'
import type { ChannelSelection } from '../queries.ts'
import { ExportDialog } from '../transfer/lazy-dialogs.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { BULK_ACTIONS, type BulkAction, isForRoot } from './bulk-values.ts'

interface BulkBarProps {
  selection: ChannelSelection
  /** How many are selected. */
  count: number
  /** How many match the filter; undefined when all of them are selected. */
  matching: number | undefined
  onSelectMatching: () => void
  onClear: () => void
}

/** What can be done to the selected channels. */
export function BulkBar({ selection, count, matching, onSelectMatching, onClear }: BulkBarProps) {
  const text = useText(channelListText)
  const words = useText(channelTransferText)
  const mayReroute = isRoot(useSessionUser()?.role ?? 0)
  const [exporting, setExporting] = useState(false)
  const [action, setAction] = useState<BulkAction>()
  return (
    <SelectionBar
      label={text.bulk}
      selected={text.selected(formatExact(count))}
      selectNone={text.selectNone}
      onClear={onClear}
      more={
        matching !== undefined && (
          <Button size="compact-sm" variant="subtle" onClick={onSelectMatching}>
            {text.selectMatching(formatExact(matching))}
          </Button>
        )
      }
    >
      <Button size="xs" variant="default" onClick={() => setExporting(true)}>
        {words.exportSelected}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="xs" rightSection={<IconChevronDown size={14} aria-hidden />}>
            {text.change}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {BULK_ACTIONS.filter((one) => mayReroute || !isForRoot(one)).map((one) => (
            <Menu.Item key={one} onClick={() => setAction(one)}>
              {text.actions[one]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <RemoveItem onClick={() => setAction('remove')}>{text.actions.remove}</RemoveItem>
        </Menu.Dropdown>
      </Menu>
      <Suspense>{exporting && <ExportDialog selection={selection} onClose={() => setExporting(false)} />}</Suspense>
      {action !== undefined && (
        <BulkDialog
          action={action}
          selection={selection}
          onClose={() => setAction(undefined)}
          onDone={() => {
            setAction(undefined)
            onClear()
          }}
        />
      )}
    </SelectionBar>
  )
}
