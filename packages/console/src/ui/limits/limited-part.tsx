import type { ReactNode } from 'react'
import { limitsText } from '../../text/limits.ts'
import { useText } from '../../text/text.ts'
import { IconButton } from '../layout/icon-button.tsx'
import { IconTrash } from '../layout/icons.tsx'
import classes from './limits.module.css'

interface LimitedPartProps {
  name: string
  onRemove: () => void
  children: ReactNode
}

/** A model or group with limits of its own, and a button to remove them. */
export function LimitedPart({ name, onRemove, children }: LimitedPartProps) {
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
