import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Role, type UserFilter, UserStatus } from '@tollgate/contract'
import { useState } from 'react'
import { roleLabel, userStatusLabel } from '../../lib/labels.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'
import { FoldingFilters } from '../../ui/table/folding-filters.tsx'
import { groupNames } from './queries.ts'

interface UserFiltersProps {
  filter: Partial<UserFilter>
  onChange: (filter: Partial<UserFilter>) => void
}

export function UserFilters({ filter, onChange }: UserFiltersProps) {
  const text = useText(usersText)
  const labels = useText(labelsText)
  const { group = '', role = 0, status = 0 } = filter
  const [focused, setFocused] = useState(false)
  const names = useQuery({ ...groupNames, enabled: focused })
  // A group of the URL may have been removed, and is shown before the names are here.
  const known = new Set([...(names.data ?? []), ...(group === '' ? [] : [group])])

  return (
    <FoldingFilters
      count={Object.keys(filter).length}
      text={text}
      onClear={() => onChange({})}
      onFocus={() => setFocused(true)}
    >
      <NativeSelect
        size="xs"
        aria-label={text.group}
        value={group}
        data={[{ value: '', label: text.anyGroup }, ...known]}
        onChange={({ currentTarget: { value } }) => onChange(withFilter(filter, 'group', value))}
      />
      <NativeSelect
        size="xs"
        aria-label={text.role}
        value={String(role)}
        data={[
          { value: '0', label: text.anyRole },
          ...[Role.user, Role.admin, Role.root].map((each) => ({
            value: String(each),
            label: roleLabel(each, labels).text,
          })),
        ]}
        onChange={({ currentTarget: { value } }) => onChange(withFilter(filter, 'role', Number(value)))}
      />
      <NativeSelect
        size="xs"
        aria-label={text.status}
        value={String(status)}
        data={[
          { value: '0', label: text.anyStatus },
          ...[UserStatus.enabled, UserStatus.banned].map((each) => ({
            value: String(each),
            label: userStatusLabel(each, labels).text,
          })),
        ]}
        onChange={({ currentTarget: { value } }) => onChange(withFilter(filter, 'status', Number(value)))}
      />
    </FoldingFilters>
  )
}

/** What is not filtered by is not in the URL. */
function withFilter(filter: Partial<UserFilter>, name: keyof UserFilter, value: string | number): Partial<UserFilter> {
  const { [name]: _, ...others } = filter
  return value === '' || value === 0 ? others : { ...others, [name]: value }
}
