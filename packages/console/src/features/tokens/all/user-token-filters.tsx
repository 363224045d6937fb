import { NativeSelect } from '@mantine/core'
import { TokenStatus, TokenStatusFilter } from '@tollgate/contract'
import { useSuggestions } from '../../../api/use-suggestions.ts'
import { tokenStatusLabel } from '../../../lib/format/labels.ts'
import type { UserTokenSearch } from '../../../lib/lists/user-token-search.ts'
import { keyActivityText } from '../../../text/key-activity.ts'
import { labelsText } from '../../../text/labels.ts'
import { useText } from '../../../text/text.ts'
import { tokensText } from '../../../text/tokens.ts'
import { userTokensText } from '../../../text/user-tokens.ts'
import { TypedFilter } from '../../../ui/inputs/typed-filter.tsx'
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
  const suggestions = useSuggestions()
  const count = countFilters(search)
  const set = (change: UserTokenSearch) => onSearch({ ...search, page: undefined, ...change })

  return (
    <FoldingFilters
      count={count}
      text={text}
      onClear={() => onSearch({ keyword: search.keyword, order: search.order })}
    >
      <TypedFilter
        label={text.ownerFilter}
        value={search.owner}
        suggestion={suggestions.user}
        onChange={(owner) => set({ owner })}
      />
      <TypedFilter
        label={text.modelFilter}
        value={search.model}
        suggestion={suggestions.model}
        onChange={(model) => set({ model })}
      />
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
