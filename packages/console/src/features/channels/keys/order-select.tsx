import { NativeSelect } from '@mantine/core'
import { type Channel, KeyOrder } from '@tollgate/contract'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { useText } from '../../../text/text.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useChangeOrder } from './queries.ts'

/** How the next key of the pool is chosen. */
export function OrderSelect({ channel: { id, key_order } }: { channel: Channel }) {
  const text = useText(channelKeysText)
  const change = useChangeOrder(id)
  return (
    <NativeSelect
      aria-label={text.order}
      value={change.isPending ? change.variables : key_order}
      data={KeyOrder.options.map((value) => ({ value, label: text.orders[value] }))}
      onChange={({ currentTarget }) =>
        change.mutate(KeyOrder.parse(currentTarget.value), { onSuccess: () => toast.success(text.ordered) })
      }
    />
  )
}
