import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from './icon-button.module.css'

interface IconButtonProps extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  /** Said by the tooltip and to screen readers. */
  label: string
  children: ReactNode
}

/** A button that is only an icon, and yet says what it does. */
export function IconButton({ label, children, ...props }: IconButtonProps) {
  return (
    // While the menu that it opens is there, the tooltip would only stand in the way.
    <Tooltip label={label} disabled={props['aria-expanded'] === true}>
      <ActionIcon className={classes.button} variant="subtle" color="gray" aria-label={label} {...props}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
