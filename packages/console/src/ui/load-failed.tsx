import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { commonText } from '../text/common.ts'
import { useText } from '../text/text.ts'
import { EmptyState } from './empty-state.tsx'

/** Stands where content should be when its first load failed. The reason itself was a toast. */
export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const text = useText(commonText)
  return (
    <EmptyState
      icon={<IconCloudOff size={32} stroke={1.5} />}
      title={text.loadFailed}
      help={text.loadFailedHelp}
      action={
        <Button variant="default" onClick={onRetry}>
          {text.retry}
        </Button>
      }
    />
  )
}
