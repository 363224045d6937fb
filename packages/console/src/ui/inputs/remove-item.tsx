import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconTrash } from '../layout/icons.tsx'

interface RemoveItemProps {
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

/** The entry of a menu that destroys: last and red. The red is that of text, which can be read in the dark too. */
export const RemoveItem = (props: RemoveItemProps) => (
  <Menu.Item color="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} {...props} />
)
