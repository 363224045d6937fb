import { Tooltip, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './hint.module.css'

/** A short text with a tooltip on hover, focus and touch. */
export function Hint({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Tooltip
      label={label}
      multiline
      w="max-content"
      maw="min(320px, calc(100vw - 32px))"
      events={{ hover: true, focus: true, touch: true }}
    >
      <UnstyledButton className={classes.hint} component="button" type="button">
        {children}
      </UnstyledButton>
    </Tooltip>
  )
}
