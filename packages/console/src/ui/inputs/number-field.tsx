import { TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { type NumberFault, type NumberRules, numberFault, readNumber } from '../../lib/number-text.ts'
import { formatExact } from '../../lib/numbers.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'

interface NumberFieldProps extends NumberRules {
  label: string
  /** `''` stands for an empty field. */
  value: number | string
  /** Told of numbers that may be, and of an emptied field; never of anything else. */
  onChange: (value: number | '') => void
  /** What the arrow keys add. */
  step?: number
  /** The sign of a currency: shown before the number, and typed or not. */
  prefix?: string
  description?: string
  error?: ReactNode
  disabled?: boolean
  required?: boolean
  'data-path'?: string
}

/**
 * A number, typed or pasted. What means no number, or one out of bounds, stays as it was typed and is refused with a
 * sentence; a form around it does not send before it is mended.
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
  // Undefined while nobody is typing: then the stored number shows.
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
      // What is refused stays in sight; what is taken is shown as it was understood.
      onBlur={() => fault === undefined && setTyped(undefined)}
      onKeyDown={onKeyDown}
    />
  )
}

function shown(value: number | string, prefix: string) {
  const number = typeof value === 'number' ? value : readNumber(value)
  return number === undefined ? '' : prefix + formatExact(number)
}
