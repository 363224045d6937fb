import { useEffect, useState } from 'react'
import { isEnterOfText } from './enter-chooses.ts'
import { SuggestInput, type Suggesting } from './suggest-input.tsx'

interface TypedFilterProps {
  label: string
  value: string | undefined
  suggestion: Suggesting
  onChange: (value: string | undefined) => void
}

/** A name that filters a list: applied on Enter, on blur, or when a suggestion is chosen. */
export function TypedFilter({ label, value = '', suggestion, onChange }: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  // The URL may change without this field: back, forward, a link.
  useEffect(() => setTyped(value), [value])
  const apply = () => typed.trim() !== value && onChange(typed.trim() || undefined)
  return (
    <SuggestInput
      size="xs"
      aria-label={label}
      placeholder={label}
      {...suggestion}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={onChange}
      onBlur={apply}
      onKeyDown={(event) => isEnterOfText(event) && apply()}
    />
  )
}
