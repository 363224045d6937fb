import { Group } from '@mantine/core'
import type { KeyActivity } from '@tollgate/contract'
import { useMoney } from '../../../lib/format/money.tsx'
import { nowSeconds } from '../../../lib/format/time.ts'
import { readersZone } from '../../../lib/format/zone.ts'
import { keyActivityText } from '../../../text/key-activity.ts'
import { useText } from '../../../text/text.ts'
import { Sparkline } from '../../../ui/charts/sparkline.tsx'
import { daysOfSpend } from './spend-days.ts'

/** A key's recent spending, as a sum and a sparkline. */
export function SpendLine({ activity }: { activity: KeyActivity | undefined }) {
  const text = useText(keyActivityText)
  const money = useMoney()
  if (activity === undefined) return '—'
  const total = activity.spend.reduce((sum, quota) => sum + quota, 0)
  if (total === 0) return money.quota(0)
  const days = daysOfSpend(activity.spend, { zone: readersZone(), now: nowSeconds() })
    .map(({ day, quota }) => text.dayOf(day, money.quota(quota)))
    .join(text.comma)
  return (
    <Group gap={8} wrap="nowrap" justify="flex-end">
      <Sparkline values={activity.spend} title={text.spendOf(days)} />
      {money.quota(total)}
    </Group>
  )
}
