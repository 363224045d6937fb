import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { settingsText } from '../../text/settings.ts'
import { useText } from '../../text/text.ts'
import { parseRatio } from './ratio-table.ts'

interface RatioInputProps {
  label: string
  value: number
  onChange: (ratio: number) => void
}

/** A factor in a table. What is no factor is marked while it is typed and gone when the cursor leaves. */
export function RatioInput({ label, value, onChange }: RatioInputProps) {
  const text = useText(settingsText)
  const [typed, setTyped] = useState<string>()
  const wrong = typed !== undefined && parseRatio(typed) === undefined
  return (
    <TextInput
      size="xs"
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      value={typed ?? String(value)}
      error={wrong && text.ratio.needNumber}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        const ratio = parseRatio(event.currentTarget.value)
        if (ratio !== undefined) onChange(ratio)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
