import { NativeSelect, Radio, Stack } from '@mantine/core'
import { KeyOrder } from '@tollgate/contract'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import type { ChannelValues } from './channel-values.ts'

interface PoolChoiceProps {
  /** The number of keys entered. */
  count: number
  values: Pick<ChannelValues, 'key_pool' | 'key_order'>
  onChange: (values: Partial<Pick<ChannelValues, 'key_pool' | 'key_order'>>) => void
}

/** What several keys become: a channel each, or one channel with a pool. */
export function PoolChoice({ count, values: { key_pool, key_order }, onChange }: PoolChoiceProps) {
  const text = useText(channelsText)
  const words = useText(channelKeysText)
  return (
    <Stack gap="xs">
      <Radio.Group
        label={text.pool}
        value={key_pool ? POOL : APART}
        onChange={(chosen) => onChange({ key_pool: chosen === POOL })}
      >
        <Stack gap={6} mt={6}>
          <Radio value={APART} label={text.poolApart(count)} />
          <Radio value={POOL} label={text.poolTogether(count)} />
        </Stack>
      </Radio.Group>
      {key_pool && (
        <NativeSelect
          label={words.order}
          value={key_order}
          data={KeyOrder.options.map((value) => ({ value, label: words.orders[value] }))}
          onChange={({ currentTarget }) => onChange({ key_order: KeyOrder.parse(currentTarget.value) })}
        />
      )}
    </Stack>
  )
}

const APART = 'apart'
const POOL = 'pool'
