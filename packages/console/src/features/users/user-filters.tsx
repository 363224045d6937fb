import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Role, type UserFilter, UserStatus } from '@tollgate/contract'
import { useState } from 'react'
import { groupNames } from '../../api/group-names.ts'
import { roleLabel, userStatusLabel } from '../../lib/format/labels.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'
import { FoldingFilters } from '../../ui/table/folding-filters.tsx'

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
      <NumberFilter
        label={text.role}
        value={role}
        any={text.anyRole}
        data={[Role.user, Role.admin, Role.root].map((each) => [each, roleLabel(each, labels).text])}
        onChange={(value) => onChange(withFilter(filter, 'role', value))}
      />
      <NumberFilter
        label={text.status}
        value={status}
        any={text.anyStatus}
        data={[UserStatus.enabled, UserStatus.banned].map((each) => [each, userStatusLabel(each, labels).text])}
        onChange={(value) => onChange(withFilter(filter, 'status', value))}
      />
    </FoldingFilters>
  )
}

interface NumberFilterProps {
  label: string
  value: number
  /** The name of 0, which filters nothing. */
  any: string
  data: readonly [value: number, label: string][]
  onChange: (value: number) => void
}

function NumberFilter({ label, value, any, data, onChange }: NumberFilterProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={String(value)}
      data={[{ value: '0', label: any }, ...data.map(([each, name]) => ({ value: String(each), label: name }))]}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    />
  )
}

/** What is not filtered by is not in the URL. */
function withFilter(filter: Partial<UserFilter>, name: keyof UserFilter, value: string | number): Partial<UserFilter> {
  const { [name]: _, ...others } = filter
  return value === '' || value === 0 ? others : { ...others, [name]: value }
}
