import { Group } from '@mantine/core'
import { type KeyActivity, LogType } from '@tollgate/contract'
import { useMoney } from '../../../lib/format/money.tsx'
import { nowSeconds } from '../../../lib/format/time.ts'
import { readersZone } from '../../../lib/format/zone.ts'
import { keyActivityText } from '../../../text/key-activity.ts'
import { useText } from '../../../text/text.ts'
import { Sparkline } from '../../../ui/charts/sparkline.tsx'
import { AnchorLink } from '../../../ui/layout/links.tsx'
import { daysOfSpend, spanOfSpend } from './spend-days.ts'

interface SpendLineProps {
  activity: KeyActivity | undefined
  /** Whose calls the sum links to. The owner is named for administrators, whose log is everybody's. */
  token: { name: string; username?: string | undefined }
}

/** A key's recent spending, as a sum and a sparkline. */
export function SpendLine({ activity, token: { name, username } }: SpendLineProps) {
  const text = useText(keyActivityText)
  const money = useMoney()
  if (activity === undefined) return '—'
  const { spend } = activity
  const total = spend.reduce((sum, quota) => sum + quota, 0)
  if (total === 0) return money.quota(0)
  const reader = { zone: readersZone(), now: nowSeconds() }
  const days = daysOfSpend(spend, reader)
    .map(({ day, quota }) => text.dayOf(day, money.quota(quota, 'fine')))
    .join(text.comma)
  const { start, end } = spanOfSpend(spend.length, reader)
  const calls = { type: LogType.consume, username, ...namedKey(name), start, end: end - 1 }
  return (
    <Group gap={8} wrap="nowrap" justify="flex-end" data-quiet-links>
      <Sparkline values={spend} title={text.spendOf(days)} />
      <AnchorLink to="/log" search={calls} inherit>
        {money.quota(total, 'fine')}
      </AnchorLink>
    </Group>
  )
}

const namedKey = (name: string) => (name === '' ? ({ no_token: 'true' } as const) : { token_name: name })
