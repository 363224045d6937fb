import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import classes from './custom-model.module.css'

/** A name that no list has, or several separated by commas. */
export function CustomModel({ onAdd }: { onAdd: (typed: string) => void }) {
  const text = useText(channelsText)
  const [typed, setTyped] = useState('')
  const add = () => {
    if (typed.trim() === '') return
    onAdd(typed)
    setTyped('')
  }
  return (
    <div className={classes.row}>
      <TextInput
        className={classes.input}
        aria-label={text.custom}
        placeholder={`${text.custom} · ${text.customPlaceholder}`}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Otherwise Enter would submit the whole form.
          event.preventDefault()
          add()
        }}
      />
      <Button variant="default" onClick={add}>
        {text.customAdd}
      </Button>
    </div>
  )
}
