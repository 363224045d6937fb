import { NumberInput } from '@mantine/core'
import { QUOTA_MAX } from '@tollgate/contract'
import { type ReactNode, useState } from 'react'
import { useMoney } from '../lib/money.tsx'
import { formatExact } from '../lib/numbers.ts'
import { decimalsOf, quotaOf, typedDollars } from '../lib/typed-money.ts'
import { commonText } from '../text/common.ts'
import { useText } from '../text/text.ts'

interface MoneyInputProps {
  label: string
  /** Quota, whatever is typed. */
  value: number
  onChange: (quota: number) => void
  description?: string
  error?: ReactNode
  disabled?: boolean
  /** Name of the field in its form, so that the first error can be focused. */
  'data-path'?: string
}

/** Dollars with the quota beside them; where the site shows no money, quota with its worth beside it. */
export function MoneyInput({ label, value, onChange, description, error, disabled, ...rest }: MoneyInputProps) {
  const text = useText(commonText)
  const { inCurrency, quotaPerUnit, dollars } = useMoney()
  // What stands in the field while somebody types: `1.` is on the way to `1.5`, and not yet another amount than 1.
  const [typed, setTyped] = useState<number | string>('')
  const perUnit = inCurrency ? quotaPerUnit : 1
  const beside = inCurrency ? text.units(formatExact(value)) : text.worth(dollars(value))
  return (
    <NumberInput
      label={label}
      description={description === undefined ? beside : `${beside} · ${description}`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={quotaOf(typed, perUnit) === value && typed !== '' ? typed : typedDollars(value, perUnit)}
      onChange={(next) => {
        setTyped(next)
        onChange(quotaOf(next, perUnit))
      }}
      prefix={inCurrency ? '$' : ''}
      min={0}
      max={QUOTA_MAX / perUnit}
      clampBehavior="strict"
      allowDecimal={inCurrency}
      decimalScale={inCurrency ? decimalsOf(quotaPerUnit) : 0}
      allowNegative={false}
      thousandSeparator=","
      step={inCurrency ? 1 : quotaPerUnit}
      inputMode={inCurrency ? 'decimal' : 'numeric'}
      error={error}
      disabled={disabled ?? false}
      {...rest}
    />
  )
}
