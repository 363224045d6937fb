import { useEffect, useRef, useState } from 'react'
import { useMoney } from '../../lib/format/money.tsx'
import { nowSeconds } from '../../lib/format/time.ts'
import {
  type CheckedField,
  filterErrors,
  type LogFilterValues,
  type LogSearch,
  type Range,
  rangeOf,
  type TypedField,
  toSearch,
  toValues,
  typedSince,
} from './log-filter.ts'
import type { PickedRange } from './quick-ranges.tsx'

/** The input of the log's filters, beside the filter in the URL. Nothing is requested before `apply` or `pick`. */
export function useLogFilterForm(search: LogSearch, onSearch: (search: LogSearch) => void) {
  const { inCurrency, quotaPerUnit } = useMoney()
  const perUnit = inCurrency ? quotaPerUnit : 1
  const [values, setValues] = useState(() => toValues(search, nowSeconds(), perUnit))
  const [shownEnd, setShownEnd] = useState(values.end)
  const [tried, setTried] = useState(false)
  const [picked, setPicked] = useState<PickedRange>()
  const [opened, setOpened] = useState(false)
  const errors = tried ? filterErrors(values) : {}
  const address = JSON.stringify(search)
  /** The URL follows later: what is typed until then is kept. */
  const applied = useRef<{ address: string; values: LogFilterValues }>(undefined)

  // The URL may change without this form: back, forward, a link, a quick range.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search is new at each render; its content is what counts.
  useEffect(() => {
    const shown = toValues(search, nowSeconds(), perUnit)
    const { current: sent } = applied
    setValues((now) => (sent?.address === address ? { ...shown, ...typedSince(sent.values, now) } : shown))
    setShownEnd(search.end === undefined ? shown.end : '')
    setTried(false)
  }, [address, perUnit])

  const apply = (next: LogFilterValues) => {
    const problems = filterErrors(next)
    setTried(true)
    if (Object.keys(problems).length > 0) return setOpened(true)
    const wanted = toSearch(next, shownEnd, perUnit)
    applied.current = { address: JSON.stringify(wanted), values: next }
    setValues(next)
    onSearch(wanted)
  }

  const pick = (range: Range) => {
    const { start, end } = rangeOf(range, nowSeconds())
    setPicked({ range, start, end })
    // Incomplete input does not block a quick range.
    const wrong = Object.keys(filterErrors(values)).map((name) => [name, ''])
    const right = { ...values, ...Object.fromEntries(wrong), start: '', end: shownEnd }
    onSearch({ ...toSearch(right, shownEnd, perUnit), start, end })
  }

  const type = (name: TypedField, typed: string) => setValues(withTyped(values, name, typed))

  const bind = (name: TypedField) => ({
    value: values[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => type(name, currentTarget.value),
  })

  return {
    values,
    change: (changes: Partial<LogFilterValues>) => setValues({ ...values, ...changes }),
    apply,
    pick,
    picked,
    problemOf: (name: CheckedField) => errors[name],
    bind,
    type,
    opened,
    setOpened,
  }
}

export const withTyped = (values: LogFilterValues, name: TypedField, typed: string): LogFilterValues => ({
  ...values,
  // They belong to the name that stood there.
  ...(name === 'model_name' && { offered: '' }),
  ...(name === 'username' && { user_id: 0 }),
  [name]: typed,
})
