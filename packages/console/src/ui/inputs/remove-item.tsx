import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconTrash } from '../layout/icons.tsx'

interface RemoveItemProps {
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

/** The destructive entry of a menu: last and red, in the text shade, which is readable in dark mode too. */
export const RemoveItem = (props: RemoveItemProps) => (
  <Menu.Item color="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} {...props} />
)
