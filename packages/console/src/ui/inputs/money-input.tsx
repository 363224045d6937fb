import { QUOTA_MAX } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { useMoney } from '../../lib/format/money.tsx'
import { formatExact } from '../../lib/format/numbers.ts'
import { quotaOf } from '../../lib/forms/typed-money.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { NumberField } from './number-field.tsx'

interface MoneyInputProps {
  label: string
  /** In quota, whatever the field shows. */
  value: number
  onChange: (quota: number) => void
  description?: string
  error?: ReactNode
  disabled?: boolean
  'data-path'?: string
}

/** Dollars with the quota beside them; on sites without currency, quota with its value beside it. */
export function MoneyInput({ value, onChange, description, ...rest }: MoneyInputProps) {
  const text = useText(commonText)
  const { inCurrency, quotaPerUnit, dollars } = useMoney()
  const perUnit = inCurrency ? quotaPerUnit : 1
  const beside = inCurrency ? text.units(formatExact(value)) : text.worth(dollars(value))
  return (
    <NumberField
      {...rest}
      description={description === undefined ? beside : `${beside} · ${description}`}
      value={value / perUnit}
      onChange={(next) => onChange(quotaOf(next, perUnit))}
      prefix={inCurrency ? '$' : ''}
      min={0}
      max={QUOTA_MAX / perUnit}
      decimal={inCurrency}
      step={inCurrency ? 1 : quotaPerUnit}
    />
  )
}
