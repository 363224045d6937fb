import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { OUTCOMES } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { groupNames } from '../../api/group-names.ts'
import { outcomeLabel } from '../../lib/format/labels.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { labelsText } from '../../text/labels.ts'
import { logsText } from '../../text/logs.ts'
import { useText } from '../../text/text.ts'
import type { CheckedField, LogFilterValues, TypedField } from './log-filter.ts'
import classes from './log-filters.module.css'

interface RareLogFiltersProps {
  opened: boolean
  values: LogFilterValues
  everyone: boolean
  bind: (name: TypedField) => {
    value: string
    onChange: (event: { currentTarget: HTMLInputElement }) => void
  }
  problem: (name: CheckedField) => ReactNode
  onApply: (values: LogFilterValues) => void
}

const CHOICES = [...OUTCOMES, 'failed'] as const

/** Outcome, streaming, cost, duration and the user's group: shown on demand, and while one of them is set. */
export function RareLogFilters({ opened, values, everyone, bind, problem, onApply }: RareLogFiltersProps) {
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
      {everyone && <GroupFilter values={values} onApply={onApply} />}
    </div>
  )
}

/** No group can be called so. */
const NO_GROUP = ','

function GroupFilter({ values, onApply }: Pick<RareLogFiltersProps, 'values' | 'onApply'>) {
  const text = useText(logsText)
  const labels = useText(labelsText)
  const { group, no_group } = values
  const { data = [] } = useQuery(groupNames)
  // A group of the URL may have been removed, and is shown before the names are here.
  const known = new Set([...data, ...(group === '' ? [] : [group])])
  return (
    <NativeSelect
      label={text.group}
      value={no_group === '' ? group : NO_GROUP}
      data={[
        { value: '', label: text.anyGroup },
        ...known,
        // Rare, and chosen by a link from the figures.
        ...(no_group === '' ? [] : [{ value: NO_GROUP, label: labels.nameless.group }]),
      ]}
      onChange={({ currentTarget: { value } }) =>
        onApply({ ...values, ...(value === NO_GROUP ? {} : { group: value, no_group: '' }) })
      }
    />
  )
}
