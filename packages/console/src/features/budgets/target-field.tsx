import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { BudgetScope } from '@tollgate/contract'
import { type ReactNode, useState } from 'react'
import { budgetsText } from '../../text/budgets.ts'
import { useText } from '../../text/text.ts'
import { targetsOf } from './queries.ts'

const PAUSE_MS = 300

interface TargetFieldProps {
  scope: BudgetScope
  /** What the chosen one is called, where the search need not find it. */
  name: string
  value: string
  onChange: (target: string) => void
  disabled: boolean
  error?: ReactNode
  'data-path'?: string
}

/** Whose calls the budget counts, found on the server by what is typed. */
export function TargetField({ scope, name, value, onChange, ...rest }: TargetFieldProps) {
  const text = useText(budgetsText)
  const [typed, setTyped] = useState('')
  const [word] = useDebouncedValue(typed, PAUSE_MS)
  const found = useQuery(targetsOf(scope, scope === 'group' ? '' : wordOf(word)))
  const options = found.data ?? []
  const isListed = value === '' || options.some((option) => option.value === value)
  return (
    <Select
      label={text.target}
      placeholder={text.targetPlaceholder}
      nothingFoundMessage={text.targetNone}
      required
      searchable
      data={isListed ? options : [{ value, label: name || `#${value}` }, ...options]}
      {...(scope !== 'group' && { filter: ({ options }) => options })}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
      onSearchChange={setTyped}
      {...rest}
    />
  )
}

/** What was chosen stands in the field with its number behind it. */
const wordOf = (typed: string) => typed.replace(/ \(#\d+\)$/, '')
