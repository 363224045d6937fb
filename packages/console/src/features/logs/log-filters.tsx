import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core'
import { LogType } from '@tollgate/contract'
import { type FormEvent, useEffect, useState } from 'react'
import { useMoney } from '../../lib/money.tsx'
import { nowSeconds } from '../../lib/time.ts'
import { labelsText } from '../../text/labels.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import { DateTimeInput } from '../../ui/inputs/date-time-input.tsx'
import { IconFilter, IconSearch } from '../../ui/layout/icons.tsx'
import {
  type CheckedField,
  countFilters,
  filterErrors,
  hasRareFilter,
  type LogFilterValues,
  type LogSearch,
  RANGES,
  type Range,
  rangeOf,
  type TypedField,
  toSearch,
  toValues,
} from './log-filter.ts'
import classes from './log-filters.module.css'
import { RareLogFilters } from './rare-log-filters.tsx'

interface LogFiltersProps {
  search: LogSearch
  /** Administrators also filter by channel and user. */
  everyone: boolean
  onSearch: (search: LogSearch) => void
}

/** No request is sent until Search, Enter, a type or a quick range is chosen. */
export function LogFilters({ search, everyone, onSearch }: LogFiltersProps) {
  const text = useText(logsText)
  const labels = useText(labelsText)
  const { inCurrency, quotaPerUnit } = useMoney()
  const perUnit = inCurrency ? quotaPerUnit : 1
  const [values, setValues] = useState(() => toValues(search, nowSeconds(), perUnit))
  const [shownEnd, setShownEnd] = useState(values.end)
  const [tried, setTried] = useState(false)
  const [picked, setPicked] = useState<Picked>()
  const [rare, setRare] = useState(false)
  const [opened, setOpened] = useState(false)
  const errors = tried ? filterErrors(values) : {}
  const address = JSON.stringify(search)

  // The URL may change without this form: back, forward, a link, a quick range.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search is new at each render; its content is what counts.
  useEffect(() => {
    const shown = toValues(search, nowSeconds(), perUnit)
    setValues(shown)
    setShownEnd(search.end === undefined ? shown.end : '')
    setTried(false)
  }, [address, perUnit])

  const apply = (next: LogFilterValues) => {
    const problems = filterErrors(next)
    setTried(true)
    if (Object.keys(problems).length > 0) return setOpened(true)
    onSearch(toSearch(next, shownEnd, perUnit))
  }

  const pick = (range: Range) => {
    const { start, end } = rangeOf(range, nowSeconds())
    setPicked({ range, start, end })
    // Incomplete input does not block a quick range.
    const wrong = Object.keys(filterErrors(values)).map((name) => [name, ''])
    const right = { ...values, ...Object.fromEntries(wrong), start: '', end: shownEnd }
    onSearch({ ...toSearch(right, shownEnd, perUnit), start, end })
  }

  const bind = (name: TypedField) => ({
    value: values[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setValues({ ...values, [name]: currentTarget.value }),
  })

  /** The placeholder of a field while entries without that name are selected, with a button that clears the filter. */
  const none = (name: 'no_model' | 'no_token', shown: string) =>
    values[name] !== '' && {
      placeholder: shown,
      rightSection: (
        <CloseButton
          size="sm"
          aria-label={labels.removeFilter(shown)}
          onClick={() => apply({ ...values, [name]: '' })}
        />
      ),
    }

  const problem = (name: CheckedField) => errors[name] && text[errors[name]]
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
          <TextInput label={text.tokenName} {...bind('token_name')} {...none('no_token', labels.nameless.key)} />
          <TextInput label={text.modelName} {...bind('model_name')} {...none('no_model', labels.nameless.model)} />
          <TextInput label={text.requestId} {...bind('request_id')} />
          {values.session !== '' && <TextInput label={text.session} {...bind('session')} />}
          {everyone && <TextInput label={text.username} {...bind('username')} />}
          {everyone && (
            <TextInput label={text.channelId} inputMode="numeric" error={problem('channel')} {...bind('channel')} />
          )}
        </div>
        {(rare || opened || hasRareFilter(search)) && (
          <RareLogFilters opened={opened} values={values} bind={bind} problem={problem} onApply={apply} />
        )}
        <div className={classes.bottom}>
          <div className={classes.dates} data-opened={opened || undefined}>
            <DateTimeInput
              label={text.start}
              placeholder={text.startPlaceholder}
              value={values.start}
              error={problem('start')}
              onChange={(start) => setValues({ ...values, start })}
            />
            <DateTimeInput
              label={text.end}
              placeholder={text.endPlaceholder}
              value={values.end}
              error={problem('end')}
              onChange={(end) => setValues({ ...values, end })}
            />
          </div>
          <fieldset className={classes.ranges} aria-label={text.range}>
            {RANGES.map((range) => (
              <Button
                key={range}
                size="compact-sm"
                variant={range === activeRange(search, picked) ? 'light' : 'default'}
                aria-pressed={range === activeRange(search, picked)}
                onClick={() => pick(range)}
              >
                {text[range]}
              </Button>
            ))}
          </fieldset>
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

/** The URL contains times; which button set them is remembered while it still matches. */
function activeRange({ start, end }: LogSearch, picked: Picked | undefined) {
  if (start === undefined && end === undefined) return 'allTime'
  return picked?.start === start && picked?.end === end ? picked?.range : undefined
}

interface Picked extends Pick<LogSearch, 'start' | 'end'> {
  range: Range
}
