import { Button } from '@mantine/core'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { useText } from '../../../text/text.ts'
import { confirm } from '../../../ui/feedback/dialogs.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useRemoveSetAside } from './queries.ts'

/** Removes all keys that their vendor rejected, if there are any. */
export function RemoveSetAside({ channel, count }: { channel: number; count: number }) {
  const text = useText(channelKeysText)
  const remove = useRemoveSetAside(channel)
  if (count === 0) return null
  const askAndRemove = async () => {
    const question = {
      ...{ title: text.removeSetAsideAsk, help: text.removeHelp },
      ...{ confirmLabel: text.removeSetAside, danger: true },
    }
    if (!(await confirm(question))) return
    remove.mutate(undefined, { onSuccess: (removed) => toast.info(text.removedSetAside(formatExact(removed))) })
  }
  return (
    <Button variant="default" loading={remove.isPending} onClick={() => void askAndRemove()}>
      {text.removeSetAside}
    </Button>
  )
}
