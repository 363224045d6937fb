import { Autocomplete, type AutocompleteProps } from '@mantine/core'

/** Where the suggestions of a field come from. */
export interface Suggesting {
  /** `value` is what a choice writes into the field. */
  options: readonly { value: string; label: string }[]
  /** Asks for suggestions: with the current text when the field is used, then with what is typed. */
  onType: (text: string) => void
  /** The options were not searched for what is typed. */
  unsearched?: boolean
}

interface SuggestInputProps
  extends Suggesting,
    Omit<AutocompleteProps, 'data' | 'filter' | 'onChange' | 'value' | 'onFocus'> {
  value: string
  onChange: (text: string) => void
}

const SHOWN_MAX = 20
/** A page with five such fields need not have their lists while none is open. */
const CLOSED_IS_GONE = { keepMounted: false }

/** A text field with suggestions; another text may be typed. */
export function SuggestInput({ options, value, unsearched, onType, onChange, ...rest }: SuggestInputProps) {
  const labels = new Map(options.map((option) => [option.value, option.label]))
  return (
    <Autocomplete
      data={options.map((option) => option.value)}
      {...(!unsearched && { filter: ({ options: found }) => found })}
      renderOption={({ option }) => labels.get(option.value) ?? option.value}
      limit={SHOWN_MAX}
      comboboxProps={CLOSED_IS_GONE}
      spellCheck={false}
      value={value}
      onFocus={() => onType(value)}
      onChange={(text) => {
        onType(text)
        onChange(text)
      }}
      {...rest}
    />
  )
}
