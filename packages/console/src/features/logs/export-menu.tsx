import { Button, Menu } from '@mantine/core'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { IconDownload } from '../../ui/layout/icons.tsx'
import { exportAddress, type LogView } from './queries.ts'

/** Downloads the filtered log as a file. */
export function ExportMenu({ view }: { view: LogView }) {
  const text = useText(logsText)
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconDownload size={14} />}>
          {text.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={exportAddress(view, 'csv')} download>
          {text.exportCsv}
        </Menu.Item>
        <Menu.Item component="a" href={exportAddress(view, 'jsonl')} download>
          {text.exportJsonl}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
