import { Group, Switch } from '@mantine/core'
import { NEVER_EXPIRES, type Token, TokenStatus } from '@tollgate/contract'
import { tokenStatusLabel } from '../../lib/labels.ts'
import type { useMoney } from '../../lib/money.tsx'
import { formatNumber } from '../../lib/numbers.ts'
import { isLimited } from '../../lib/rate-limits.ts'
import type { Words } from '../../text/words.ts'
import type { zh as labelWords } from '../../text/zh/labels.ts'
import type { zh as limitWords } from '../../text/zh/limits.ts'
import type { zh as tokenWords } from '../../text/zh/tokens.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TimeText } from '../../ui/display/time-text.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'

interface Needs {
  text: Words<typeof tokenWords>
  labels: Words<typeof labelWords>
  limits: Words<typeof limitWords>
  /** Whether a token on this page has limits: otherwise there is no column for them. */
  anyLimited: boolean
  money: ReturnType<typeof useMoney>
  onToggle: (change: { id: number; status: number }) => void
}

export const tokenColumns = ({ text, labels, limits, anyLimited, money, onToggle }: Needs): Column<Token>[] => [
  { key: 'name', title: text.name, card: 'heading', render: ({ name }) => <Ellipsis text={name} /> },
  {
    key: 'status',
    title: text.status,
    render: (token) => (
      <Group gap={8} wrap="nowrap">
        <Switch
          size="xs"
          checked={token.status === TokenStatus.enabled}
          aria-label={text.toggle(token.name)}
          onChange={() => onToggle({ id: token.id, status: toggled(token.status) })}
        />
        <StatusBadge {...tokenStatusLabel(token.status, labels)} />
      </Group>
    ),
  },
  {
    key: 'used',
    title: text.used,
    align: 'right',
    order: 'used_quota',
    render: ({ used_quota }) => money.quota(used_quota),
  },
  {
    key: 'remain',
    title: text.remain,
    align: 'right',
    order: 'remain_quota',
    render: ({ unlimited_quota, remain_quota }) => (unlimited_quota ? text.unlimited : money.quota(remain_quota)),
  },
  ...(anyLimited ? [limitsColumn(limits)] : []),
  { key: 'created', title: text.created, render: ({ created_time }) => <TimeText seconds={created_time} /> },
  {
    key: 'expires',
    title: text.expires,
    render: ({ expired_time }) =>
      expired_time === NEVER_EXPIRES ? text.never : <TimeText seconds={expired_time} otherwise={text.never} />,
  },
]

const limitsColumn = (text: Needs['limits']): Column<Token> => ({
  key: 'limits',
  title: text.title,
  present: ({ rate_limits }) => isLimited(rate_limits),
  render: ({ rate_limits: { rpm, tpm, concurrency, models } }) => {
    const parts = [
      rpm === undefined ? [] : text.rpmShort(formatNumber(rpm)),
      tpm === undefined ? [] : text.tpmShort(formatNumber(tpm)),
      concurrency === undefined ? [] : text.concurrencyShort(formatNumber(concurrency)),
    ].flat()
    return [...parts, ...(models === undefined ? [] : [text.more])].join(' · ')
  },
})

/** Whatever is not enabled is switched on; the server refuses where expiry or quota forbid it. */
const toggled = (status: number) => (status === TokenStatus.enabled ? TokenStatus.disabled : TokenStatus.enabled)
