import { Group, Switch } from '@mantine/core'
import { type KeyActivity, type Token, TokenStatus } from '@tollgate/contract'
import type { useMoney } from '../../lib/format/money.tsx'
import type { Words } from '../../text/words.ts'
import type { zh as activityWords } from '../../text/zh/key-activity.ts'
import type { zh as limitWords } from '../../text/zh/limits.ts'
import type { zh as tokenWords } from '../../text/zh/tokens.ts'
import { TimeText } from '../../ui/display/time-text.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'
import { LastUse } from './activity/last-use.tsx'
import { SpendLine } from './activity/spend-line.tsx'
import { TokenStatusText } from './activity/token-status.tsx'
import { MarkedName } from './activity/unusual-mark.tsx'
import { expiresColumn } from './expires-column.tsx'
import { limitsColumn } from './limits-column.ts'
import { RecordingRequestMark } from './recording-request.tsx'

interface Needs {
  text: Words<typeof tokenWords>
  words: Words<typeof activityWords>
  limits: Words<typeof limitWords>
  /** Whether a token on this page has limits: otherwise the column is left out. */
  anyLimited: boolean
  /** Recent use of the tokens of this page, by id; it is loaded after the list. */
  activity: ReadonlyMap<number, KeyActivity>
  money: ReturnType<typeof useMoney>
  /** Whose tokens these are, if the reader's log has the calls of others too. */
  owner: string | undefined
  onToggle: (change: { id: number; status: number }) => void
}

export const tokenColumns = ({
  text,
  words,
  limits,
  anyLimited,
  activity,
  money,
  owner,
  onToggle,
}: Needs): Column<Token>[] => [
  {
    key: 'name',
    title: text.name,
    card: 'heading',
    render: (token) => (
      <Group gap={8}>
        <MarkedName name={token.name} activity={activity.get(token.id)} />
        <RecordingRequestMark token={token} />
      </Group>
    ),
  },
  {
    key: 'status',
    title: text.status,
    render: (token) => (
      <Group gap={8} wrap="nowrap">
        <Switch
          size="xs"
          checked={token.status === TokenStatus.enabled}
          disabled={token.blocked}
          aria-label={text.toggle(token.name)}
          onChange={() => onToggle({ id: token.id, status: toggled(token.status) })}
        />
        <TokenStatusText {...token} />
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
  {
    key: 'spend',
    title: words.spend,
    align: 'right',
    render: ({ id, name }) => <SpendLine activity={activity.get(id)} token={{ name, username: owner }} />,
  },
  {
    key: 'last_use',
    title: words.lastUse,
    render: (token) => <LastUse token={token} activity={activity.get(token.id)} />,
  },
  ...(anyLimited ? [limitsColumn(limits)] : []),
  {
    key: 'created',
    title: text.created,
    wide: true,
    render: ({ created_time }) => <TimeText seconds={created_time} />,
  },
  expiresColumn(text),
]

/** Anything but an enabled token is enabled; the server refuses when expiry or quota forbid it. */
const toggled = (status: number) => (status === TokenStatus.enabled ? TokenStatus.disabled : TokenStatus.enabled)
