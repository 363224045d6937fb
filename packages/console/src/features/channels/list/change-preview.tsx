import { Alert, Button, Group, Skeleton } from '@mantine/core'
import type { BulkResult } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
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
  const common = useText(commonText)
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
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack}>
          {common.cancel}
        </Button>
        {data && data.changed > 0 && apply(data)}
      </Group>
    </div>
  )
}
