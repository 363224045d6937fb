import { TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { formatExact } from '../../lib/format/numbers.ts'
import { type NumberFault, type NumberRules, numberFault, readNumber } from '../../lib/forms/number-text.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'

interface NumberFieldProps extends NumberRules {
  label: string
  /** `''` for an empty field. */
  value: number | string
  /** Called with valid numbers and for an emptied field; never with anything else. */
  onChange: (value: number | '') => void
  /** The step of the arrow keys. */
  step?: number
  /** A currency sign: shown before the number, and optional when typing. */
  prefix?: string
  description?: string
  error?: ReactNode
  disabled?: boolean
  required?: boolean
  'data-path'?: string
}

/**
 * A number, typed or pasted. Invalid text stays as typed and shows an error; a form around it is not submitted before it is fixed.
 */
export function NumberField(props: NumberFieldProps) {
  const {
    label,
    value,
    onChange,
    min,
    max,
    decimal = false,
    step = 1,
    prefix = '',
    description,
    error,
    ...rest
  } = props
  const text = useText(commonText)
  // Undefined while nobody is typing: then the stored number is shown.
  const [typed, setTyped] = useState<string>()
  const rules = { ...(min !== undefined && { min }), ...(max !== undefined && { max }), decimal }
  const bare = (given: string) => given.trim().replace(prefix, '')
  const fault = typed === undefined || bare(typed) === '' ? undefined : numberFault(bare(typed), rules)

  const change = (next: string) => {
    setTyped(next)
    if (bare(next) === '') return onChange('')
    const number = readNumber(bare(next))
    if (number !== undefined && numberFault(bare(next), rules) === undefined) onChange(number)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const now = readNumber(bare(typed ?? String(value))) ?? 0
    const next = now + (event.key === 'ArrowUp' ? step : -step)
    const bounded = Math.min(max ?? next, Math.max(min ?? next, next))
    change(String(Number(bounded.toFixed(6))))
  }

  const sentences: Record<NumberFault, string> = {
    noNumber: text.noNumber,
    noWholeNumber: text.noWholeNumber,
    below: text.numberBelow(formatExact(min ?? 0)),
    above: text.numberAbove(formatExact(max ?? 0)),
  }

  return (
    <TextInput
      {...rest}
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode={decimal ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={typed ?? shown(value, prefix)}
      error={fault === undefined ? error : sentences[fault]}
      data-fault={fault}
      onChange={(event) => change(event.currentTarget.value)}
      // Invalid text stays; a valid number is shown as it was understood.
      onBlur={() => fault === undefined && setTyped(undefined)}
      onKeyDown={onKeyDown}
    />
  )
}

function shown(value: number | string, prefix: string) {
  const number = typeof value === 'number' ? value : readNumber(value)
  return number === undefined ? '' : prefix + formatExact(number)
}
