import { LogType } from '@tollgate/contract'
import { roleLabel, userStatusLabel } from '../../lib/format/labels.ts'
import type { useMoney } from '../../lib/format/money.tsx'
import { truncateName } from '../../lib/format/names.ts'
import { formatNumber } from '../../lib/format/numbers.ts'
import type { Words } from '../../text/words.ts'
import type { zh as labelWords } from '../../text/zh/labels.ts'
import type { zh as userWords } from '../../text/zh/users.ts'
import { GroupTags } from '../../ui/display/group-tags.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { AnchorLink } from '../../ui/layout/links.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'
import type { ListedUser } from './queries.ts'

interface Needs {
  text: Words<typeof userWords>
  labels: Words<typeof labelWords>
  money: ReturnType<typeof useMoney>
}

export const userColumns = ({ text, labels, money }: Needs): Column<ListedUser>[] => [
  { key: 'id', title: text.id, width: 64, render: ({ id }) => id },
  {
    key: 'username',
    title: text.username,
    card: 'heading',
    render: (user) => <span title={wholeName(user, text)}>{truncateName(user.username)}</span>,
  },
  {
    key: 'group',
    title: text.group,
    render: ({ group }) => <GroupTags group={group} />,
  },
  {
    key: 'quota',
    title: text.quota,
    align: 'right',
    order: 'quota',
    render: ({ quota }) => money.quota(quota),
  },
  {
    key: 'used_quota',
    title: text.used,
    align: 'right',
    order: 'used_quota',
    render: (user) => <Calls of={user}>{money.quota(user.used_quota)}</Calls>,
  },
  {
    key: 'request_count',
    title: text.requests,
    align: 'right',
    order: 'request_count',
    render: (user) => <Calls of={user}>{formatNumber(user.request_count)}</Calls>,
  },
  {
    key: 'role',
    title: text.role,
    render: ({ role }) => <StatusBadge {...roleLabel(role, labels)} />,
  },
  {
    key: 'status',
    title: text.status,
    render: ({ status }) => <StatusBadge {...userStatusLabel(status, labels)} />,
  },
]

/** A number that leads to the calls it counts, also those under a former name. */
function Calls({ of: { id, username }, children }: { of: { id: number; username: string }; children: string }) {
  return (
    <span data-quiet-links>
      <AnchorLink to="/log" search={{ username, user_id: id, type: LogType.consume }} inherit>
        {children}
      </AnchorLink>
    </span>
  )
}

/** The tooltip of a shortened name. */
function wholeName({ username, display_name, email }: ListedUser, text: Words<typeof userWords>) {
  const names = display_name === '' || display_name === username ? username : `${username} (${display_name})`
  return `${names} · ${email || text.noEmail}`
}
