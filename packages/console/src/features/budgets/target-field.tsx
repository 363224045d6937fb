import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { BudgetScope } from '@tollgate/contract'
import { type ReactNode, useState } from 'react'
import { budgetsText } from '../../text/budgets.ts'
import { useText } from '../../text/text.ts'
import { targetNamed, targetsOf } from './queries.ts'

const PAUSE_MS = 300

interface TargetFieldProps {
  scope: BudgetScope
  /** The name of the chosen target, if the caller knows it. */
  name: string
  value: string
  onChange: (target: string) => void
  disabled: boolean
  error?: ReactNode
  'data-path'?: string
}

/** The budget's target, searched on the server while typing. */
export function TargetField({ scope, name, value, onChange, ...rest }: TargetFieldProps) {
  const text = useText(budgetsText)
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  const known = chosen?.value === value ? chosen.label : name
  const asked = useQuery({ ...targetNamed(scope, value), enabled: value !== '' && known === '' })
  const label = known || asked.data || `#${value}`
  const [typed, setTyped] = useState('')
  // The label of the chosen target is not a search, even while its name is not known yet.
  const [word] = useDebouncedValue(typed === label ? '' : typed, PAUSE_MS)
  const options = useQuery(targetsOf(scope, scope === 'group' ? '' : word)).data ?? []
  const others = options.filter((option) => option.value !== value)
  return (
    <Select
      label={text.target}
      placeholder={text.targetPlaceholder}
      nothingFoundMessage={text.targetNone}
      required
      searchable
      data={value === '' ? options : [{ value, label }, ...others]}
      {...(scope !== 'group' && { filter: ({ options }) => options })}
      value={value === '' ? null : value}
      onChange={(target, option) => {
        setChosen(option ?? undefined)
        onChange(target ?? '')
      }}
      onSearchChange={setTyped}
      {...rest}
    />
  )
}
