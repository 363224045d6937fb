import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from './icon-button.module.css'

interface IconButtonProps extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  /** For the tooltip and screen readers. */
  label: string
  children: ReactNode
}

/** An icon-only button with a label. */
export function IconButton({ label, children, ...props }: IconButtonProps) {
  return (
    // While its menu is open, the tooltip would only be in the way.
    <Tooltip label={label} disabled={props['aria-expanded'] === true}>
      <ActionIcon className={classes.button} variant="subtle" color="gray" aria-label={label} {...props}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
