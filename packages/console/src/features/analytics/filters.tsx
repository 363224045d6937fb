import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { OUTCOMES } from '@tollgate/contract'
import { type FormEvent, useState } from 'react'
import { channelName } from '../../api/channel-name.ts'
import { groupNames } from '../../api/group-names.ts'
import { useSuggestions } from '../../api/use-suggestions.ts'
import type { UsageFilter } from '../../lib/usage/usage-search.ts'
import { analyticsText } from '../../text/analytics.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { FilterChip } from '../../ui/inputs/filter-chip.tsx'
import { SuggestInput } from '../../ui/inputs/suggest-input.tsx'
import { IconFilter } from '../../ui/layout/icons.tsx'
import classes from './analytics-page.module.css'
import type { Analytics } from './use-analytics.ts'

const TYPED = ['model', 'user', 'key', 'group'] as const

/** The active filters, each with a button that removes it, and a form for more. */
export function Filters({ analytics }: { analytics: Analytics }) {
  const text = useText(analyticsText)
  const words = useText(usageText)
  const labels = useText(labelsText)
  const [opened, setOpened] = useState(false)
  const { filter, go } = analytics
  const channel = useChannelName(filter.channel)
  const active = Object.entries(filter).filter(([, value]) => value !== undefined)
  const chip = (name: keyof UsageFilter, label: string) => (
    <FilterChip key={name} label={label} onRemove={() => go({ [name]: undefined })} />
  )
  return (
    <div className={classes.filters}>
      <div className={classes.chips}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconFilter size={14} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {active.length === 0 ? text.filters : text.filtersOf(active.length)}
        </Button>
        {NAMES.filter((name) => filter[name] !== undefined).map((name) => {
          const value = name === 'outcome' && filter.outcome ? labels.outcome[filter.outcome] : filter[name]
          return chip(name, labels.filterBy(words.dimension[name], (name === 'channel' ? channel : value) ?? ''))
        })}
        {filter.no_model && chip('no_model', labels.filterBy(words.dimension.model, labels.nameless.model))}
        {filter.no_key && chip('no_key', labels.filterBy(words.dimension.key, labels.nameless.key))}
        {filter.no_group && chip('no_group', labels.filterBy(words.dimension.group, labels.nameless.group))}
      </div>
      {opened && <FilterForm key={JSON.stringify(filter)} analytics={analytics} onDone={() => setOpened(false)} />}
    </div>
  )
}

/** The number alone until the name is known. */
function useChannelName(id: number | undefined) {
  const words = useText(usageText)
  const { data, isError } = useQuery({ ...channelName(id ?? 0), enabled: id !== undefined && id > 0 })
  if (id === undefined || id === 0 || isError) return id === undefined ? undefined : words.channelOf(id)
  return data === undefined ? String(id) : words.channelNamed(data, id)
}

const NAMES = ['model', 'channel', 'user', 'group', 'key', 'outcome'] as const satisfies (keyof UsageFilter)[]

function FilterForm({ analytics: { everyone, filter, go }, onDone }: { analytics: Analytics; onDone: () => void }) {
  const text = useText(analyticsText)
  const words = useText(usageText)
  const labels = useText(labelsText)
  const [values, setValues] = useState({
    ...{ model: filter.model ?? '', user: filter.user ?? '', key: filter.key ?? '', group: filter.group ?? '' },
    ...{ channel: filter.channel === undefined ? '' : String(filter.channel), outcome: filter.outcome ?? '' },
  })
  const [tried, setTried] = useState(false)
  const groups = useQuery({ ...groupNames, enabled: everyone }).data ?? []
  const suggestions = {
    ...useSuggestions(),
    group: { options: groups.map((value) => ({ value, label: value })), onType: () => undefined, unsearched: true },
  }
  const isChannel = /^(0|[1-9]\d{0,14})?$/.test(values.channel.trim())
  const apply = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isChannel) return
    go({
      ...{ model: typed('model'), user: typed('user'), key: typed('key'), group: typed('group') },
      channel: values.channel.trim() === '' ? undefined : Number(values.channel.trim()),
      outcome: values.outcome || undefined,
      // A typed name replaces the filter for calls without one.
      ...(typed('model') !== undefined && { no_model: undefined }),
      ...(typed('key') !== undefined && { no_key: undefined }),
      ...(typed('group') !== undefined && { no_group: undefined }),
    })
    onDone()
  }
  return (
    <form className={classes.form} noValidate onSubmit={apply}>
      {TYPED.filter((name) => everyone || name === 'model' || name === 'key').map((name) => (
        <SuggestInput
          key={name}
          label={words.dimension[name]}
          {...suggestions[name]}
          value={values[name]}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      {everyone && (
        <SuggestInput
          label={text.channelId}
          placeholder={text.channelPlaceholder}
          {...suggestions.channel}
          value={values.channel}
          error={tried && !isChannel ? text.badChannel : undefined}
          onChange={(channel) => setValues({ ...values, channel })}
        />
      )}
      <NativeSelect
        label={words.dimension.outcome}
        value={values.outcome}
        data={[
          { value: '', label: text.anyOutcome },
          ...OUTCOMES.map((value) => ({ value, label: labels.outcome[value] })),
        ]}
        onChange={({ currentTarget: { value } }) => setValues({ ...values, outcome: value })}
      />
      <Button type="submit" className={classes.apply}>
        {text.apply}
      </Button>
    </form>
  )

  function typed(name: (typeof TYPED)[number]) {
    return values[name].trim() || undefined
  }
}
