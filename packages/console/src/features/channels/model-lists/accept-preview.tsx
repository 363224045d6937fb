import { Alert, Button, Group, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ModelListChange } from '@tollgate/contract'
import { formatExact } from '../../../lib/numbers.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { commonText } from '../../../text/common.ts'
import { modelListsText } from '../../../text/model-lists.ts'
import { useText } from '../../../text/text.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { IconCoinOff } from '../../../ui/layout/icons.tsx'
import { BulkOutcome } from '../list/bulk-outcome.tsx'
import { acceptPreview, useAccept } from './queries.ts'
import classes from './review-dialog.module.css'

interface AcceptPreviewProps {
  changes: readonly ModelListChange[]
  onBack: () => void
  onDone: () => void
}

/** What the channels will offer, models without a price, models that no channel will offer any more; then the change itself. */
export function AcceptPreview({ changes, onBack, onDone }: AcceptPreviewProps) {
  const text = useText(modelListsText)
  const words = useText(channelListText)
  const common = useText(commonText)
  const { data, error } = useQuery(acceptPreview(changes))
  const accept = useAccept()
  return (
    <div className={classes.body}>
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data === undefined && error === null && <Skeleton height={120} />}
      {data && data.unpriced.length > 0 && (
        <Alert color="yellow" icon={<IconCoinOff size={18} />} role="status">
          {text.unpricedNew(data.unpriced.map(({ model }) => model).join(text.comma))}
        </Alert>
      )}
      {data && <BulkOutcome result={data} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack}>
          {common.cancel}
        </Button>
        {data && data.changed > 0 && (
          <Button
            loading={accept.isPending}
            onClick={() =>
              accept.mutate(changes, {
                onSuccess: ({ changed }) => {
                  toast.success(words.changedChannels(formatExact(changed)))
                  onDone()
                },
              })
            }
          >
            {text.apply(formatExact(data.changed))}
          </Button>
        )}
      </Group>
    </div>
  )
}
