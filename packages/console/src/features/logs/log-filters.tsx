import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core'
import { LogType } from '@tollgate/contract'
import { type FormEvent, useState } from 'react'
import { useSuggestions } from '../../api/use-suggestions.ts'
import { labelsText } from '../../text/labels.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { DateTimeInput } from '../../ui/inputs/date-time-input.tsx'
import { SuggestInput } from '../../ui/inputs/suggest-input.tsx'
import { IconFilter, IconSearch } from '../../ui/layout/icons.tsx'
import { type CheckedField, countFilters, hasRareFilter, type LogSearch } from './log-filter.ts'
import classes from './log-filters.module.css'
import { activeRange, QuickRanges } from './quick-ranges.tsx'
import { RareLogFilters } from './rare-log-filters.tsx'
import { useLogFilterForm, withTyped } from './use-log-filter-form.ts'

interface LogFiltersProps {
  search: LogSearch
  /** Administrators also filter by channel, user and group. */
  everyone: boolean
  onSearch: (search: LogSearch) => void
}

/** The list is not requested until Search, Enter, a suggestion, a type or a quick range is chosen. */
export function LogFilters({ search, everyone, onSearch }: LogFiltersProps) {
  const text = useText(logsText)
  const labels = useText(labelsText)
  const form = useLogFilterForm(search, onSearch)
  const { values, change, apply, pick, picked, problemOf, bind, type, opened, setOpened } = form
  const suggestions = useSuggestions()
  const [rare, setRare] = useState(false)

  /** The placeholder of a field while entries without that name are selected, with a button that clears the filter. */
  const none = (name: 'no_model' | 'no_token', shown: string) =>
    values[name] !== '' && { placeholder: shown, rightSection: remove(name, shown) }

  const remove = (name: 'no_model' | 'no_token' | 'offered', shown: string) => (
    <CloseButton
      size="sm"
      title={labels.removeFilter(shown)}
      aria-label={labels.removeFilter(shown)}
      onClick={() => apply({ ...values, [name]: '' })}
    />
  )

  /** A name that is chosen from the suggestions is searched for at once. */
  const named = (name: 'token_name' | 'model_name' | 'username' | 'channel') => ({
    value: values[name],
    onChange: (typed: string) => type(name, typed),
    onOptionSubmit: (chosen: string) => apply(withTyped(values, name, chosen)),
  })

  const problem = (name: CheckedField) => {
    const code = problemOf(name)
    return code && text[code]
  }
  const count = countFilters(search)

  return (
    <search className={classes.search}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          apply(values)
        }}
      >
        <Button
          className={classes.toggle}
          variant="default"
          leftSection={<IconFilter size={16} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {count === 0 ? text.filters : text.filtersOf(count)}
        </Button>
        <div className={classes.fields} data-opened={opened || undefined}>
          <NativeSelect
            label={text.type}
            value={String(values.type)}
            data={TYPES.map(([name, type]) => ({ value: String(type), label: text.types[name] }))}
            onChange={({ currentTarget }) => apply({ ...values, type: Number(currentTarget.value) })}
          />
          <SuggestInput
            label={text.tokenName}
            {...suggestions.key}
            {...named('token_name')}
            {...none('no_token', labels.nameless.key)}
          />
          <SuggestInput
            label={text.modelName}
            {...suggestions.model}
            {...named('model_name')}
            {...none('no_model', labels.nameless.model)}
            {...(values.offered !== '' && { rightSection: remove('offered', text.offeredOnly) })}
          />
          <TextInput label={text.requestId} {...bind('request_id')} />
          {values.session !== '' && <TextInput label={text.session} {...bind('session')} />}
          {everyone && <SuggestInput label={text.username} {...suggestions.user} {...named('username')} />}
          {everyone && (
            <SuggestInput
              label={text.channelId}
              {...suggestions.channel}
              placeholder={text.channelPlaceholder}
              error={problem('channel')}
              {...named('channel')}
            />
          )}
        </div>
        {(rare || opened || hasRareFilter(search)) && (
          <RareLogFilters
            opened={opened}
            values={values}
            everyone={everyone}
            bind={bind}
            problem={problem}
            onApply={apply}
          />
        )}
        <div className={classes.bottom}>
          <div className={classes.dates} data-opened={opened || undefined}>
            <DateTimeInput
              label={text.start}
              placeholder={text.startPlaceholder}
              value={values.start}
              error={problem('start')}
              onChange={(start) => change({ start })}
            />
            <DateTimeInput
              label={text.end}
              placeholder={text.endPlaceholder}
              value={values.end}
              error={problem('end')}
              onChange={(end) => change({ end })}
            />
          </div>
          <QuickRanges active={activeRange(search, picked)} onPick={pick} />
          <div className={classes.buttons} data-opened={opened || undefined}>
            {!opened && !hasRareFilter(search) && (
              <Button variant="subtle" size="xs" aria-expanded={rare} onClick={() => setRare(!rare)}>
                {rare ? text.fewerFilters : text.moreFilters}
              </Button>
            )}
            <Button variant="default" size="xs" onClick={() => onSearch({})}>
              {text.reset}
            </Button>
            <Button type="submit" size="xs" leftSection={<IconSearch size={14} />}>
              {text.search}
            </Button>
          </div>
        </div>
      </form>
    </search>
  )
}

const TYPES = [
  ['all', LogType.all],
  ['topUp', LogType.topUp],
  ['consume', LogType.consume],
  ['manage', LogType.manage],
  ['system', LogType.system],
  ['test', LogType.test],
  ['failed', LogType.failed],
  ['calls', LogType.calls],
] as const
