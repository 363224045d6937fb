import { NativeSelect, TextInput } from '@mantine/core'
import { OUTCOMES } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { outcomeLabel } from '../../lib/labels.ts'
import { useMoney } from '../../lib/money.tsx'
import { labelsText } from '../../text/labels.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import type { CheckedField, LogFilterValues, TypedField } from './log-filter.ts'
import classes from './log-filters.module.css'

interface RareLogFiltersProps {
  opened: boolean
  values: LogFilterValues
  bind: (name: TypedField) => {
    value: string
    onChange: (event: { currentTarget: HTMLInputElement }) => void
  }
  problem: (name: CheckedField) => ReactNode
  onApply: (values: LogFilterValues) => void
}

const CHOICES = [...OUTCOMES, 'failed'] as const

/** Outcome, streaming, cost and duration: shown on demand, and while one of them is set. */
export function RareLogFilters({ opened, values, bind, problem, onApply }: RareLogFiltersProps) {
  const text = useText(logsText)
  const labels = useText(labelsText)
  const { inCurrency } = useMoney()
  return (
    <div className={classes.fields} data-opened={opened || undefined}>
      <NativeSelect
        label={text.outcome}
        value={values.outcome}
        data={[
          { value: '', label: text.anyOutcome },
          { value: 'failed', label: text.failedOutcomes },
          ...OUTCOMES.map((value) => ({ value, label: outcomeLabel(value, labels).text })),
        ]}
        onChange={({ currentTarget }) =>
          onApply({ ...values, outcome: CHOICES.find((each) => each === currentTarget.value) ?? '' })
        }
      />
      <NativeSelect
        label={text.panel.stream}
        value={values.stream}
        data={[
          { value: '', label: text.anyStream },
          { value: 'true', label: text.panel.streamed },
          { value: 'false', label: text.panel.whole },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onApply({ ...values, stream: value === 'true' || value === 'false' ? value : '' })
        }
      />
      <TextInput
        label={inCurrency ? text.minMoney : text.minQuota}
        inputMode="decimal"
        error={problem('min_quota')}
        {...bind('min_quota')}
      />
      <TextInput label={text.minElapsed} inputMode="decimal" error={problem('min_elapsed')} {...bind('min_elapsed')} />
    </div>
  )
}
