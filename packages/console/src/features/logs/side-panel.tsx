import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from '../../lib/browser/return-focus.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'

interface SidePanelProps {
  title: string
  size: number
  onClose: () => void
  children: ReactNode
}

/** A panel beside the log. */
export function SidePanel({ title, size, onClose, children }: SidePanelProps) {
  const common = useText(commonText)
  useReturnFocus()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={size}
      title={title}
      styles={{ title: { fontSize: 16, fontWeight: 600 } }}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {children}
    </Drawer>
  )
}
