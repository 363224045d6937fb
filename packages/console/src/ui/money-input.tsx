import { NumberInput } from '@mantine/core'
import { QUOTA_MAX } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { useMoney } from '../lib/money.tsx'
import { commonText } from '../text/common.ts'
import { useText } from '../text/text.ts'

interface MoneyInputProps {
  label: string
  value: number
  onChange: (quota: number) => void
  description?: string
  error?: ReactNode
  disabled?: boolean
  /** Name of the field in its form, so that the first error can be focused. */
  'data-path'?: string
}

/** Quota as a whole number, with its worth in dollars while typing. */
export function MoneyInput({ label, value, onChange, description, error, disabled, ...rest }: MoneyInputProps) {
  const text = useText(commonText)
  const money = useMoney()
  const worth = text.worth(money.dollars(value))
  return (
    <NumberInput
      label={label}
      description={description === undefined ? worth : `${worth} · ${description}`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      onChange={(next) => onChange(Number.isSafeInteger(Number(next)) ? Number(next) : 0)}
      min={0}
      max={QUOTA_MAX}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      step={money.quotaPerUnit}
      inputMode="numeric"
      error={error}
      disabled={disabled ?? false}
      {...rest}
    />
  )
}
