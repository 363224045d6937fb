import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ChannelChange } from '@tollgate/contract'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { useText } from '../../../text/text.ts'
import { IconCoinOff } from '../../../ui/layout/icons.tsx'
import { bulkPreview, type ChannelSelection } from '../queries.ts'
import { ChangePreview } from './change-preview.tsx'

interface BulkPreviewProps {
  selection: ChannelSelection
  change: ChannelChange
  danger: boolean
  busy: boolean
  onBack: () => void
  onApply: (ids: number[]) => void
}

/** A preview of the change, with the button that applies it. */
export function BulkPreview({ selection, change, danger, busy, onBack, onApply }: BulkPreviewProps) {
  const text = useText(channelListText)
  const preview = useQuery(bulkPreview(selection, change))
  return (
    <ChangePreview
      preview={preview}
      notice={({ unpriced }) =>
        unpriced.length > 0 && (
          <Alert color="yellow" icon={<IconCoinOff size={18} />} role="status">
            {text.unpricedAdded(unpriced.join(text.comma))}
          </Alert>
        )
      }
      onBack={onBack}
      apply={({ ids, changed }) => (
        <Button {...(danger && { color: 'red' })} loading={busy} onClick={() => onApply(ids)}>
          {danger ? text.applyRemove(formatExact(changed)) : text.apply(formatExact(changed))}
        </Button>
      )}
    />
  )
}
