import { Autocomplete, Button } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { limitsText } from '../../text/limits.ts'
import { useText } from '../../text/text.ts'
import classes from './limits.module.css'

interface AddNameProps {
  label: string
  placeholder: string
  /** Suggestions; another name may be typed. */
  names: readonly string[]
  taken: (name: string) => boolean
  onAdd: (name: string) => void
}

const SHOWN_MAX = 100

/** The row below them, which adds the name of another one. */
export function AddName({ label, placeholder, names, taken, onAdd }: AddNameProps) {
  const text = useText(limitsText)
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const wanted = name.trim()
  const error = wanted === '' ? text.needName : taken(wanted) ? text.taken : undefined

  const add = () => {
    setTried(true)
    if (error !== undefined) return
    onAdd(wanted)
    setName('')
    setTried(false)
  }
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Otherwise Enter would save the form.
    event.preventDefault()
    add()
  }

  return (
    <div className={classes.add}>
      <Autocomplete
        aria-label={label}
        placeholder={placeholder}
        data={names.filter((one) => !taken(one))}
        limit={SHOWN_MAX}
        value={name}
        maxLength={256}
        spellCheck={false}
        error={tried && error}
        onChange={setName}
        onKeyDown={addOnEnter}
      />
      <Button variant="default" onClick={add}>
        {text.add}
      </Button>
    </div>
  )
}
