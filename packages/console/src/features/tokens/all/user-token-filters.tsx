import { NativeSelect, TextInput } from '@mantine/core'
import { TokenStatus, TokenStatusFilter } from '@tollgate/contract'
import { useEffect, useState } from 'react'
import { tokenStatusLabel } from '../../../lib/format/labels.ts'
import type { UserTokenSearch } from '../../../lib/lists/user-token-search.ts'
import { keyActivityText } from '../../../text/key-activity.ts'
import { labelsText } from '../../../text/labels.ts'
import { useText } from '../../../text/text.ts'
import { tokensText } from '../../../text/tokens.ts'
import { userTokensText } from '../../../text/user-tokens.ts'
import { FoldingFilters } from '../../../ui/table/folding-filters.tsx'
import { countFilters, LAST_USES } from './user-token-filter.ts'

interface UserTokenFiltersProps {
  search: UserTokenSearch
  onSearch: (search: UserTokenSearch) => void
}

export function UserTokenFilters({ search, onSearch }: UserTokenFiltersProps) {
  const text = useText(userTokensText)
  const tokens = useText(tokensText)
  const activity = useText(keyActivityText)
  const labels = useText(labelsText)
  const count = countFilters(search)
  const set = (change: UserTokenSearch) => onSearch({ ...search, page: undefined, ...change })

  return (
    <FoldingFilters
      count={count}
      text={text}
      onClear={() => onSearch({ keyword: search.keyword, order: search.order })}
    >
      <TypedFilter label={text.ownerFilter} value={search.owner} onChange={(owner) => set({ owner })} />
      <TypedFilter label={text.modelFilter} value={search.model} onChange={(model) => set({ model })} />
      <NativeSelect
        size="xs"
        aria-label={tokens.status}
        value={String(search.status ?? '')}
        data={[
          { value: '', label: text.anyStatus },
          ...Object.values(TokenStatus).map((status) => ({
            value: String(status),
            label: tokenStatusLabel(status, labels).text,
          })),
          { value: String(TokenStatusFilter.blocked), label: activity.blocked },
          { value: String(TokenStatusFilter.ending), label: text.ending },
        ]}
        onChange={({ currentTarget: { value } }) => set({ status: value === '' ? undefined : Number(value) })}
      />
      <NativeSelect
        size="xs"
        aria-label={text.used}
        value={search.used ?? ''}
        data={[{ value: '', label: text.anyUse }, ...LAST_USES.map((value) => ({ value, label: text.uses[value] }))]}
        onChange={({ currentTarget: { value } }) => set({ used: LAST_USES.find((known) => known === value) })}
      />
    </FoldingFilters>
  )
}

interface TypedFilterProps {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** Applied on Enter or on blur. */
function TypedFilter({ label, value = '', onChange }: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  // The URL may change without this field: back, forward, a link.
  useEffect(() => setTyped(value), [value])
  const apply = () => typed.trim() !== value && onChange(typed.trim() || undefined)
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  )
}
