import { Button, type ModalProps, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { onValid } from '../../lib/forms/focus-first-error.ts'
import { Dialog } from './dialog.tsx'
import { DialogButtons } from './dialog-buttons.tsx'

interface FormDialogProps extends Pick<ModalProps, 'title' | 'size' | 'onClose'> {
  /** What the button says. */
  save: string
  onSave: () => void
  saving: boolean
  /** Something that is required is missing. */
  disabled?: boolean
  children: ReactNode
}

/** A dialog with fields that are sent together. */
export function FormDialog({ save, onSave, saving, disabled = false, children, ...dialog }: FormDialogProps) {
  return (
    <Dialog {...dialog}>
      <form noValidate onSubmit={onValid(onSave)}>
        <Stack>
          {children}
          <DialogButtons onCancel={dialog.onClose}>
            <Button type="submit" loading={saving} disabled={disabled}>
              {save}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
