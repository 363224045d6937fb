import type { ReactNode } from 'react'
import { limitsText } from '../../text/limits.ts'
import { useText } from '../../text/text.ts'
import { IconButton } from '../layout/icon-button.tsx'
import { IconTrash } from '../layout/icons.tsx'
import classes from './limits.module.css'

interface NamedPartProps {
  name: string
  onRemove: () => void
  children: ReactNode
}

/** The fields of one model, group or alias, and a button to remove them. */
export function NamedPart({ name, onRemove, children }: NamedPartProps) {
  const text = useText(limitsText)
  return (
    <fieldset className={classes.part} aria-label={name}>
      <div className={classes.head}>
        <p className={classes.name}>{name}</p>
        <IconButton label={text.remove(name)} onClick={onRemove}>
          <IconTrash size={16} />
        </IconButton>
      </div>
      {children}
    </fieldset>
  )
}
