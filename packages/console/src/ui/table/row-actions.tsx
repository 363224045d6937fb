import { Group, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconButton } from '../layout/icon-button.tsx'
import { IconDots } from '../layout/icons.tsx'

interface RowActionsProps {
  /** "More actions for prod-web" */
  label: string
  /** The two most used, as icon buttons. */
  children: ReactNode
  /** The rest, as Menu.Item; destructive ones come last and are red. */
  menu: ReactNode
}

export function RowActions({ label, children, menu }: RowActionsProps) {
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      {children}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <IconButton label={label}>
            <IconDots size={16} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>{menu}</Menu.Dropdown>
      </Menu>
    </Group>
  )
}
