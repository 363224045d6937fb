import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { readNumber } from '../../../lib/forms/number-text.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import classes from './inline-number.module.css'
import { wholeNumber } from './whole-number.ts'

interface InlineNumberProps {
  label: string
  value: number
  min?: number
  onSave: (value: number) => void
}

/** A number in a table, saved on blur or Enter. Escape and an emptied field restore it. */
export function InlineNumber({ label, value, min, onSave }: InlineNumberProps) {
  const text = useText(commonText)
  // Undefined while nobody is typing: then the stored number is shown, whoever changed it.
  const [typed, setTyped] = useState<string>()

  const wrong = typed !== undefined && typed.trim() !== '' && readNumber(typed) === undefined

  const finish = () => {
    // Invalid text stays with its error; Escape restores the stored number.
    if (wrong) return
    const next = wholeNumber(typed ?? '', min === undefined ? {} : { min })
    setTyped(undefined)
    if (next !== undefined && next !== value) onSave(next)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') setTyped(undefined)
    if (event.key === 'Enter') finish()
  }

  return (
    <TextInput
      size="xs"
      classNames={{ root: classes.root, input: classes.input }}
      inputMode="numeric"
      autoComplete="off"
      aria-label={label}
      value={typed ?? String(value)}
      error={wrong && text.noWholeNumber}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={onKeyDown}
    />
  )
}
