import { TextInput } from '@mantine/core'
import { RATIO_MAX } from '@tollgate/contract'
import { useState } from 'react'
import { formatExact } from '../../../lib/format/numbers.ts'
import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import { dollarsOf, parseRatio, ratioOf } from './ratio-table.ts'

interface RatioInputProps {
  label: string
  value: number
  /** What a ratio of 1 costs, if it is typed as money. */
  dollars?: number
  onChange: (ratio: number) => void
}

/** A factor in a table. Invalid text stays as typed, shows an error, and is not saved. */
export function RatioInput({ label, value, dollars, onChange }: RatioInputProps) {
  const text = useText(optionTablesText)
  const [typed, setTyped] = useState<string>()
  const parse = (text: string) => (dollars === undefined ? parseRatio(text) : ratioOf(text, dollars))
  const wrong = typed !== undefined && parse(typed) === undefined
  return (
    <TextInput
      size="xs"
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      leftSection={dollars !== undefined && '$'}
      value={typed ?? (dollars === undefined ? String(value) : dollarsOf(value, dollars))}
      error={wrong && text.ratio.needNumber(formatExact(RATIO_MAX * (dollars ?? 1)))}
      data-fault={wrong || undefined}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        const ratio = parse(event.currentTarget.value)
        if (ratio !== undefined) onChange(ratio)
      }}
      onBlur={() => !wrong && setTyped(undefined)}
    />
  )
}
