import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ModelListChange } from '@tollgate/contract'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { modelListsText } from '../../../text/model-lists.ts'
import { useText } from '../../../text/text.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { IconCoinOff } from '../../../ui/layout/icons.tsx'
import { ChangePreview } from '../list/change-preview.tsx'
import { acceptPreview, useAccept } from './queries.ts'

interface AcceptPreviewProps {
  changes: readonly ModelListChange[]
  onBack: () => void
  onDone: () => void
}

/** What the channels will offer, models without a price, models that no channel will offer any more; then the change itself. */
export function AcceptPreview({ changes, onBack, onDone }: AcceptPreviewProps) {
  const text = useText(modelListsText)
  const words = useText(channelListText)
  const preview = useQuery(acceptPreview(changes))
  const accept = useAccept()
  const done = ({ changed }: { changed: number }) => {
    toast.info(words.changedChannels(formatExact(changed)))
    onDone()
  }
  return (
    <ChangePreview
      preview={preview}
      notice={({ unpriced }) =>
        unpriced.length > 0 && (
          <Alert color="yellow" icon={<IconCoinOff size={18} />} role="status">
            {text.unpricedNew(unpriced.map(({ model }) => model).join(text.comma))}
          </Alert>
        )
      }
      onBack={onBack}
      apply={({ changed }) => (
        <Button loading={accept.isPending} onClick={() => accept.mutate(changes, { onSuccess: done })}>
          {text.apply(formatExact(changed))}
        </Button>
      )}
    />
  )
}
