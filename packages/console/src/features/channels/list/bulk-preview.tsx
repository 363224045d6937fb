import { Alert, Button, Group, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ChannelChange } from '@tollgate/contract'
import { formatExact } from '../../../lib/numbers.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import { bulkPreview, type ChannelSelection } from '../queries.ts'
import { BulkOutcome } from './bulk-outcome.tsx'
import classes from './bulk-preview.module.css'

interface BulkPreviewProps {
  selection: ChannelSelection
  change: ChannelChange
  danger: boolean
  busy: boolean
  onBack: () => void
  onApply: (ids: number[]) => void
}

/** What a change does, before it is made. */
export function BulkPreview({ selection, change, danger, busy, onBack, onApply }: BulkPreviewProps) {
  const text = useText(channelListText)
  const common = useText(commonText)
  const { data, error } = useQuery(bulkPreview(selection, change))
  return (
    <div className={classes.preview}>
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data === undefined && error === null && <Skeleton height={120} />}
      {data && <BulkOutcome result={data} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack}>
          {common.cancel}
        </Button>
        {data && data.changed > 0 && (
          <Button {...(danger && { color: 'red' })} loading={busy} onClick={() => onApply(data.ids)}>
            {danger ? text.applyRemove(formatExact(data.changed)) : text.apply(formatExact(data.changed))}
          </Button>
        )}
      </Group>
    </div>
  )
}
