import { Button, TextInput } from '@mantine/core'
import { RATIO_MAX } from '@tollgate/contract'
import { type KeyboardEvent, useRef, useState } from 'react'
import { formatExact } from '../../../lib/format/numbers.ts'
import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import classes from './ratio-add.module.css'
import { parseRatio, type RatioRow } from './ratio-table.ts'

interface RatioAddProps {
  placeholder: string
  taken: (name: string) => boolean
  onAdd: (row: RatioRow) => void
}

/** The row below the table: name, factor, and button. */
export function RatioAdd({ placeholder, taken, onAdd }: RatioAddProps) {
  const text = useText(optionTablesText).ratio
  const nameInput = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [ratio, setRatio] = useState('1')
  const [tried, setTried] = useState(false)
  const wanted = name.trim()
  const value = parseRatio(ratio)
  const nameError = wanted === '' ? text.needName : taken(wanted) ? text.taken : undefined

  const add = () => {
    setTried(true)
    if (nameError !== undefined || value === undefined) return
    onAdd({ name: wanted, ratio: value })
    setName('')
    setTried(false)
    nameInput.current?.focus()
  }
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Otherwise Enter would save the section.
    event.preventDefault()
    add()
  }

  return (
    <div className={classes.row}>
      <TextInput
        ref={nameInput}
        className={classes.name}
        size="xs"
        aria-label={text.name}
        placeholder={placeholder}
        value={name}
        autoComplete="off"
        spellCheck={false}
        error={tried && nameError}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={addOnEnter}
      />
      <TextInput
        className={classes.ratio}
        size="xs"
        inputMode="decimal"
        aria-label={text.value}
        value={ratio}
        autoComplete="off"
        error={tried && value === undefined && text.needNumber(formatExact(RATIO_MAX))}
        onChange={(event) => setRatio(event.currentTarget.value)}
        onKeyDown={addOnEnter}
      />
      <Button size="xs" variant="default" onClick={add}>
        {text.add}
      </Button>
    </div>
  )
}
