import { Group } from '@mantine/core'
import type { UserToken } from '@tollgate/contract'
import type { useMoney } from '../../../lib/format/money.tsx'
import { truncateName } from '../../../lib/format/names.ts'
import type { Words } from '../../../text/words.ts'
import type { zh as activityWords } from '../../../text/zh/key-activity.ts'
import type { zh as limitWords } from '../../../text/zh/limits.ts'
import type { zh as tokenWords } from '../../../text/zh/tokens.ts'
import type { zh as userTokenWords } from '../../../text/zh/user-tokens.ts'
import { GroupTags } from '../../../ui/display/group-tags.tsx'
import { AnchorLink } from '../../../ui/layout/links.tsx'
import type { Column } from '../../../ui/table/data-table-props.ts'
import { LastUse } from '../activity/last-use.tsx'
import { SpendLine } from '../activity/spend-line.tsx'
import { TokenStatusText } from '../activity/token-status.tsx'
import { MarkedName } from '../activity/unusual-mark.tsx'
import { expiresColumn } from '../expires-column.tsx'
import { limitsColumn } from '../limits-column.ts'
import { mayManage } from './may-manage.ts'
import { RequestState } from './request-state.tsx'

interface Needs {
  actor: { role: number } | undefined
  text: Words<typeof userTokenWords>
  tokens: Words<typeof tokenWords>
  activity: Words<typeof activityWords>
  limits: Words<typeof limitWords>
  money: ReturnType<typeof useMoney>
  /** The list is of keys that end soon, or have expired: when is what it is about. */
  endsFirst: boolean
}

export const userTokenColumns = ({
  actor,
  text,
  tokens,
  activity,
  limits,
  money,
  endsFirst,
}: Needs): Column<UserToken>[] => [
  {
    key: 'owner',
    title: text.owner,
    render: ({ username, user_id, role }) =>
      mayManage(actor, { role }) ? (
        <AnchorLink to="/user/edit/$id" params={{ id: String(user_id) }} title={`${username} (${user_id})`} inherit>
          {truncateName(username)}
        </AnchorLink>
      ) : (
        <span title={`${username} (${user_id})`}>{truncateName(username)}</span>
      ),
  },
  {
    key: 'name',
    title: tokens.name,
    card: 'heading',
    render: (token) => <MarkedName name={token.name} activity={token.activity} />,
  },
  { key: 'group', title: text.group, render: ({ group }) => <GroupTags group={group} /> },
  {
    key: 'status',
    title: tokens.status,
    render: (token) => (
      <Group gap={8}>
        <TokenStatusText {...token} />
        <RequestState request={token.recording_request} />
      </Group>
    ),
  },
  ...(endsFirst ? [expiresColumn(tokens)] : []),
  {
    key: 'last_use',
    title: activity.lastUse,
    order: 'accessed_time',
    render: (token) => <LastUse token={token} activity={token.activity} />,
  },
  {
    key: 'spend',
    title: activity.spend,
    align: 'right',
    render: (token) => <SpendLine activity={token.activity} token={token} />,
  },
  {
    key: 'used',
    title: tokens.used,
    align: 'right',
    order: 'used_quota',
    render: ({ used_quota }) => money.quota(used_quota),
  },
  {
    key: 'remain',
    title: tokens.remain,
    align: 'right',
    render: ({ unlimited_quota, remain_quota }) => (unlimited_quota ? tokens.unlimited : money.quota(remain_quota)),
  },
  ...(endsFirst ? [] : [{ ...limitsColumn(limits), wide: true as const }]),
]
