import { Code } from '@mantine/core'
import { type ChannelKey, RATE_LIMIT_KINDS, type RateLimit } from '@tollgate/contract'
import type { useMoney } from '../../../lib/format/money.tsx'
import { formatExact, formatNumber } from '../../../lib/format/numbers.ts'
import { formatTimestamp } from '../../../lib/format/time.ts'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channel-keys.ts'
import type { zh as limitWords } from '../../../text/zh/limits.ts'
import { Ellipsis } from '../../../ui/display/ellipsis.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { TimeText } from '../../../ui/display/time-text.tsx'
import { Hint } from '../../../ui/feedback/hint.tsx'
import type { Column } from '../../../ui/table/data-table-props.ts'
import { keyState } from './key-state.ts'

interface Needs {
  text: Words<typeof zh>
  limits: Words<typeof limitWords>
  money: ReturnType<typeof useMoney>
}

export const keyColumns = ({ text, limits, money }: Needs): Column<ChannelKey>[] => [
  {
    key: 'key',
    title: text.key,
    card: 'heading',
    render: ({ key_hint, test_time }) => (
      <Code title={test_time === 0 ? undefined : text.testedAt(formatTimestamp(test_time))}>
        {key_hint === '' ? text.hidden : `…${key_hint}`}
      </Code>
    ),
  },
  {
    key: 'status',
    title: text.status,
    render: (key) => {
      const { reason, ...label } = keyState(key, text)
      const badge = <StatusBadge {...label} />
      return reason === undefined ? badge : <Hint label={reason}>{badge}</Hint>
    },
  },
  {
    key: 'calls',
    title: text.calls,
    align: 'right',
    render: ({ calls }) => <span title={formatExact(calls)}>{formatNumber(calls)}</span>,
  },
  {
    key: 'spent',
    title: text.spent,
    align: 'right',
    render: ({ used_quota }) => <span title={money.explained(used_quota)}>{money.quota(used_quota)}</span>,
  },
  {
    key: 'limits',
    title: text.limits,
    wide: true,
    present: ({ rate_limits }) => limitsText(rate_limits, limits) !== '',
    render: ({ rate_limits }) => <Ellipsis text={limitsText(rate_limits, limits) || text.noLimits} />,
  },
  {
    key: 'lastError',
    title: text.lastError,
    present: ({ last_error }) => last_error !== '',
    render: ({ last_error, last_error_time }) =>
      last_error === '' ? '—' : <Ellipsis text={`${last_error} · ${formatTimestamp(last_error_time)}`} />,
  },
  {
    key: 'lastUsed',
    title: text.lastUsed,
    render: ({ accessed_time }) => <TimeText seconds={accessed_time} otherwise={text.neverUsed} />,
  },
]

const limitsText = (limits: RateLimit, text: Words<typeof limitWords>) =>
  RATE_LIMIT_KINDS.flatMap((kind) => {
    const limit = limits[kind]
    return limit === undefined ? [] : [text[`${kind}Short`](formatExact(limit))]
  }).join(' · ')
