import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { Dialog } from './dialog.tsx'
import type { Question } from './dialogs.ts'

interface ConfirmDialogProps extends Question {
  cancelLabel?: string
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
  children?: ReactNode
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, help, confirmLabel, cancelLabel, danger = false, busy = false, onConfirm, onCancel, children } = props
  const text = useText(commonText)
  return (
    <Dialog onClose={onCancel} title={title} size="sm">
      {help && (
        <Text c="dimmed" style={{ whiteSpace: 'pre-line' }}>
          {help}
        </Text>
      )}
      {children}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onCancel} data-autofocus={danger || undefined}>
          {cancelLabel ?? text.cancel}
        </Button>
        <Button
          {...(danger && { color: 'red' })}
          loading={busy}
          onClick={onConfirm}
          data-autofocus={!danger || undefined}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Dialog>
  )
}
