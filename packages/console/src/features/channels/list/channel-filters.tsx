import { Autocomplete, Checkbox, NativeSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CHANNEL_TYPES, ChannelStatus, channelType } from '@tollgate/contract'
import { useEffect, useState } from 'react'
import { groupNames } from '../../../api/group-names.ts'
import { type ChannelSearch, countFilters } from '../../../lib/lists/channel-search.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useContractText } from '../../../text/contract-text.ts'
import { labelsText } from '../../../text/labels.ts'
import { useText } from '../../../text/text.ts'
import { isEnterOfText } from '../../../ui/inputs/enter-chooses.ts'
import { FoldingFilters } from '../../../ui/table/folding-filters.tsx'
import { channelTags, offeredModels } from '../queries.ts'

interface ChannelFiltersProps {
  search: ChannelSearch
  onSearch: (search: ChannelSearch) => void
}

/** The options are fetched on focus. */
export function ChannelFilters({ search, onSearch }: ChannelFiltersProps) {
  const text = useText(channelListText)
  const words = useText(channelsText)
  const labels = useText(labelsText)
  const inLanguage = useContractText()
  const [wanted, setWanted] = useState(false)
  const groups = useQuery({ ...groupNames, enabled: wanted })
  const tags = useQuery({ ...channelTags, enabled: wanted })
  const models = useQuery({ ...offeredModels, enabled: wanted })
  const [model, setModel] = useState(search.model ?? '')
  const count = countFilters(search)

  // The URL may change without this field: back, forward, a link.
  useEffect(() => setModel(search.model ?? ''), [search.model])

  const set = (change: ChannelSearch) => onSearch({ ...search, page: undefined, ...change })
  const setTypedModel = (typed: string) => set({ model: typed.trim() || undefined })
  const chosenType = search.type === undefined ? undefined : channelType(search.type)

  return (
    <FoldingFilters
      count={count}
      text={text}
      onClear={() => onSearch({ keyword: search.keyword })}
      onFocus={() => setWanted(true)}
      narrow
    >
      <NativeSelect
        size="xs"
        aria-label={words.status}
        value={search.without_key === 'true' ? NO_KEY : String(search.status ?? '')}
        data={[
          { value: '', label: text.anyStatus },
          { value: String(ChannelStatus.enabled), label: labels.enabled },
          { value: String(ChannelStatus.disabled), label: labels.channel.disabled },
          { value: String(ChannelStatus.autoDisabled), label: labels.channel.autoDisabled },
          { value: NO_KEY, label: text.withoutKey },
        ]}
        onChange={({ currentTarget: { value } }) => set(statusOf(value))}
      />
      <FilterSelect
        label={words.type}
        any={text.anyType}
        data={CHANNEL_TYPES.map((type) => ({ value: String(type.value), label: inLanguage(type.label) }))}
        value={chosenType === undefined ? null : String(chosenType.value)}
        onChange={(value) => set({ type: value === null ? undefined : Number(value) })}
      />
      <FilterSelect
        label={words.group}
        any={text.anyGroup}
        data={withCurrent(groups.data, search.group)}
        value={search.group ?? null}
        onChange={(value) => set({ group: value ?? undefined })}
      />
      <Autocomplete
        size="xs"
        comboboxProps={CLOSED_IS_GONE}
        aria-label={text.model}
        placeholder={text.anyModel}
        data={models.data ?? []}
        limit={50}
        value={model}
        onChange={setModel}
        onOptionSubmit={setTypedModel}
        onBlur={() => model.trim() !== (search.model ?? '') && setTypedModel(model)}
        onKeyDown={(event) => isEnterOfText(event) && setTypedModel(model)}
        clearable
        clearButtonProps={{ 'aria-label': text.anyModel, onClick: () => setTypedModel('') }}
      />
      <FilterSelect
        label={words.tag}
        any={text.anyTag}
        data={withCurrent(tags.data, search.tag)}
        value={search.tag ?? null}
        onChange={(value) => set({ tag: value ?? undefined })}
      />
      <NativeSelect
        size="xs"
        aria-label={text.choices.failures}
        value={search.test_failed === 'true' ? FAILED_TEST : String(search.failing ?? '')}
        data={[
          { value: '', label: text.anyFailures },
          { value: FAILED_TEST, label: words.testFailed },
          ...[...new Set([...SHARES, ...(search.failing === undefined ? [] : [search.failing])])].map((share) => ({
            value: String(share),
            label: text.failing(share),
          })),
        ]}
        onChange={({ currentTarget: { value } }) => set(failureOf(value))}
      />
      <Checkbox
        size="xs"
        label={text.unpriced}
        checked={search.unpriced === 'true'}
        onChange={({ currentTarget: { checked } }) => set({ unpriced: checked ? 'true' : undefined })}
      />
    </FoldingFilters>
  )
}

interface FilterSelectProps {
  label: string
  /** The label while nothing is chosen. */
  any: string
  data: (string | { value: string; label: string })[]
  value: string | null
  onChange: (value: string | null) => void
}

function FilterSelect({ label, any, ...rest }: FilterSelectProps) {
  const common = useText(commonText)
  return (
    <Select
      size="xs"
      comboboxProps={CLOSED_IS_GONE}
      aria-label={label}
      placeholder={any}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': any }}
      nothingFoundMessage={common.nothingFound}
      {...rest}
    />
  )
}

/** Hundreds of hidden options need not be in the DOM. */
const CLOSED_IS_GONE = { keepMounted: false }

/** Among the statuses: such a channel can be enabled, but not called. */
const NO_KEY = 'no_key'

const statusOf = (value: string): ChannelSearch => ({
  status: value === '' || value === NO_KEY ? undefined : Number(value),
  without_key: value === NO_KEY ? 'true' : undefined,
})

const SHARES = [1, 10, 50] as const

/** Among the shares of failed calls: what a test found. */
const FAILED_TEST = 'test'

const failureOf = (value: string): ChannelSearch => ({
  failing: value === '' || value === FAILED_TEST ? undefined : Number(value),
  test_failed: value === FAILED_TEST ? 'true' : undefined,
})

const withCurrent = (known: readonly string[] | undefined, current: string | undefined) => [
  ...new Set([...(known ?? []), ...(current === undefined ? [] : [current])]),
]
