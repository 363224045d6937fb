import { NativeSelect } from '@mantine/core'
import { useSuggestions } from '../../api/use-suggestions.ts'
import type { AuditSearch } from '../../lib/lists/audit-search.ts'
import { auditText } from '../../text/audit.ts'
import { useText } from '../../text/text.ts'
import { TypedFilter } from '../../ui/inputs/typed-filter.tsx'
import { FoldingFilters } from '../../ui/table/folding-filters.tsx'
import { countFilters, NOUNS, nounOf, SINCE, sinceOf } from './audit-filter.ts'

interface AuditFiltersProps {
  search: AuditSearch
  onSearch: (search: AuditSearch) => void
}

/** What was changed, by whom, and since when. */
export function AuditFilters({ search, onSearch }: AuditFiltersProps) {
  const text = useText(auditText)
  const suggestions = useSuggestions()
  const set = (change: AuditSearch) => onSearch({ ...search, page: undefined, ...change })
  return (
    <FoldingFilters count={countFilters(search)} text={text} onClear={() => onSearch({ keyword: search.keyword })}>
      <NativeSelect
        size="xs"
        aria-label={text.noun}
        value={nounOf(search) ?? ''}
        data={[{ value: '', label: text.anyNoun }, ...NOUNS.map((value) => ({ value, label: text.nouns[value] }))]}
        onChange={({ currentTarget: { value } }) => set({ noun: NOUNS.find((noun) => noun === value) })}
      />
      <TypedFilter
        label={text.who}
        value={search.actor}
        suggestion={suggestions.user}
        onChange={(actor) => set({ actor })}
      />
      <NativeSelect
        size="xs"
        aria-label={text.time}
        value={sinceOf(search) ?? ''}
        data={[{ value: '', label: text.anyTime }, ...SINCE.map((value) => ({ value, label: text.since[value] }))]}
        onChange={({ currentTarget: { value } }) => set({ since: SINCE.find((since) => since === value) })}
      />
    </FoldingFilters>
  )
}
