import { Button, Group, type GroupProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'

interface DialogButtonsProps extends Pick<GroupProps, 'mt'> {
  onCancel: () => void
  /** What the dialog is for. */
  children: ReactNode
}

/** The last row of a dialog: a way out, then the action. */
export function DialogButtons({ onCancel, children, ...row }: DialogButtonsProps) {
  const text = useText(commonText)
  return (
    <Group justify="flex-end" gap="xs" {...row}>
      <Button variant="default" onClick={onCancel}>
        {text.cancel}
      </Button>
      {children}
    </Group>
  )
}
