import { Group, Switch } from '@mantine/core'
import { type Redemption, RedemptionStatus } from '@tollgate/contract'
import { redemptionStatusLabel } from '../../lib/format/labels.ts'
import type { useMoney } from '../../lib/format/money.tsx'
import { truncateName } from '../../lib/format/names.ts'
import type { Words } from '../../text/words.ts'
import type { zh as labelWords } from '../../text/zh/labels.ts'
import type { zh as redemptionWords } from '../../text/zh/redemptions.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TimeText } from '../../ui/display/time-text.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'

interface Needs {
  text: Words<typeof redemptionWords>
  labels: Words<typeof labelWords>
  money: ReturnType<typeof useMoney>
  onToggle: (change: { id: number; status: number }) => void
}

export const redemptionColumns = ({ text, labels, money, onToggle }: Needs): Column<Redemption>[] => [
  { key: 'id', title: text.id, width: 64, render: ({ id }) => id },
  { key: 'name', title: text.name, card: 'heading', render: ({ name }) => <Ellipsis text={name} /> },
  {
    key: 'status',
    title: text.status,
    render: ({ id, name, status }) => (
      <Group gap={8} wrap="nowrap">
        <Switch
          size="xs"
          checked={status === RedemptionStatus.unused}
          disabled={status === RedemptionStatus.used}
          aria-label={text.toggle(name)}
          onChange={() => onToggle({ id, status: toggled(status) })}
        />
        <StatusBadge {...redemptionStatusLabel(status, labels)} />
      </Group>
    ),
  },
  { key: 'quota', title: text.quota, align: 'right', render: ({ quota }) => money.quota(quota) },
  { key: 'created', title: text.created, render: ({ created_time }) => <TimeText seconds={created_time} /> },
  {
    key: 'redeemed',
    title: text.redeemed,
    render: ({ redeemed_time }) => <TimeText seconds={redeemed_time} otherwise={text.notRedeemed} />,
  },
  {
    key: 'redeemedBy',
    title: text.redeemedBy,
    present: ({ used_user_id }) => used_user_id !== 0,
    render: ({ used_user_id, used_username }) =>
      used_user_id !== 0 && (
        <AnchorLink to="/user" search={{ keyword: used_username }} title={`${used_username} (${used_user_id})`} inherit>
          {truncateName(used_username)}
        </AnchorLink>
      ),
  },
]

const toggled = (status: number) =>
  status === RedemptionStatus.unused ? RedemptionStatus.disabled : RedemptionStatus.unused
