import { Alert, Skeleton } from '@mantine/core'
import type { BulkResult } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { BulkOutcome } from './bulk-outcome.tsx'
import classes from './bulk-preview.module.css'

interface ChangePreviewProps<Result extends BulkResult> {
  preview: { data: Result | undefined; error: Error | null }
  notice?: (result: Result) => ReactNode
  onBack: () => void
  /** The button that makes the change. It is offered if channels would change. */
  apply: (result: Result) => ReactNode
}

/** What a change would do to channels. */
export function ChangePreview<Result extends BulkResult>(props: ChangePreviewProps<Result>) {
  const { preview, notice, onBack, apply } = props
  const { data, error } = preview
  return (
    <div className={classes.preview}>
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data === undefined && error === null && <Skeleton height={120} />}
      {data && notice?.(data)}
      {data && <BulkOutcome result={data} />}
      <DialogButtons onCancel={onBack}>{data && data.changed > 0 && apply(data)}</DialogButtons>
    </div>
  )
}
