import { TextInput } from '@mantine/core'
import { RATIO_MAX } from '@tollgate/contract'
import { useState } from 'react'
import { formatExact } from '../../../lib/format/numbers.ts'
import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import { parseRatio } from './ratio-table.ts'

interface RatioInputProps {
  label: string
  value: number
  onChange: (ratio: number) => void
}

/** A factor in a table. Invalid text stays as typed, shows an error, and is not saved. */
export function RatioInput({ label, value, onChange }: RatioInputProps) {
  const text = useText(optionTablesText)
  const [typed, setTyped] = useState<string>()
  const wrong = typed !== undefined && parseRatio(typed) === undefined
  return (
    <TextInput
      size="xs"
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      value={typed ?? String(value)}
      error={wrong && text.ratio.needNumber(formatExact(RATIO_MAX))}
      data-fault={wrong || undefined}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        const ratio = parseRatio(event.currentTarget.value)
        if (ratio !== undefined) onChange(ratio)
      }}
      onBlur={() => !wrong && setTyped(undefined)}
    />
  )
}
