import type { useUnsavedGuard } from '../../lib/forms/unsaved-guard.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'

/** The dialog of an unsaved-changes guard. */
export function UnsavedDialog({ guard }: { guard: ReturnType<typeof useUnsavedGuard> }) {
  const text = useText(commonText)
  if (!guard.asking) return null
  return (
    <ConfirmDialog
      title={text.unsavedTitle}
      help={text.unsavedHelp}
      confirmLabel={text.leave}
      cancelLabel={text.stay}
      danger
      onConfirm={guard.leave}
      onCancel={guard.stay}
    />
  )
}
