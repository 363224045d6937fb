import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { failureKind } from '../../lib/browser/failure-kind.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { IconCloudOff, IconFileOff } from '../layout/icons.tsx'
import { EmptyState } from '../table/empty-state.tsx'

interface LoadFailedProps {
  error: unknown
  onRetry: () => void
  /** For a page of one record: the link shown when it does not exist, or may not be seen. */
  back?: ReactNode
}

/** Shown in place of content whose first load failed, with what to do. */
export function LoadFailed({ error, onRetry, back }: LoadFailedProps) {
  const text = useText(commonText)
  const kind = failureKind(error)
  if (kind === 'refused' && back !== undefined) {
    const title = error instanceof Error ? error.message : text.loadFailed
    return (
      <EmptyState icon={<IconFileOff size={32} stroke={1.5} />} title={title} help={text.missingHelp} action={back} />
    )
  }
  const [title, help] = {
    refused: [text.loadFailed, error instanceof Error ? error.message : text.loadFailedHelp],
    failed: [text.loadFailed, text.loadFailedHelp],
    offline: [text.offline, text.offlineHelp],
    unreachable: [text.unreachable, text.unreachableHelp],
  }[kind]
  return (
    <EmptyState
      icon={<IconCloudOff size={32} stroke={1.5} />}
      title={title ?? ''}
      help={help ?? ''}
      action={
        <Button variant="default" onClick={onRetry}>
          {text.retry}
        </Button>
      }
    />
  )
}
